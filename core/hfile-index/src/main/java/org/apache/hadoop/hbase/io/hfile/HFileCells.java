package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import org.apache.hadoop.hbase.Cell;

/**
 * The cells of store files, whatever the release: HBase 2.x says {@code Cell} where 3.0 says {@code
 * ExtendedCell}, which are different methods to the linker. Which one there is gets decided once,
 * when this class is initialized. Thread-safe.
 *
 * <p>Where a release has neither, a call throws the {@link NoSuchMethodError} that a direct call
 * would throw.
 */
public final class HFileCells {
  private static final MethodHandle CURRENT = method(Cell.class, HFileScanner.class, "getCell");
  private static final MethodHandle SEEK_TO =
      method(int.class, HFileScanner.class, "seekTo", Cell.class);
  private static final MethodHandle ROOT_KEY =
      method(
          Cell.class,
          HFileBlockIndex.CellBasedKeyBlockIndexReader.class,
          "getRootBlockKey",
          int.class);

  private HFileCells() {}

  /** {@code HFileScanner.getCell()}: the cell that the scanner is at. */
  public static Cell current(HFileScanner scanner) {
    try {
      return (Cell) CURRENT.invokeExact(scanner);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e); // no release declares one
    }
  }

  /** {@code HFileScanner.seekTo(Cell)}: to a cell or else before it; see there for the answer. */
  public static int seekTo(HFileScanner scanner, Cell key) throws IOException {
    try {
      return (int) SEEK_TO.invokeExact(scanner, key);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** The key of an entry of the root level of an index. */
  static Cell rootKey(HFileBlockIndex.CellBasedKeyBlockIndexReader index, int entry) {
    try {
      return (Cell) ROOT_KEY.invokeExact(index, entry);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** The method of that name whose types are the given ones or special cases of them. */
  static MethodHandle method(Class<?> result, Class<?> owner, String name, Class<?>... parameters) {
    MethodType type = MethodType.methodType(result, parameters).insertParameterTypes(0, owner);
    for (Method method : owner.getMethods()) {
      if (method.getName().equals(name)
          && result.isAssignableFrom(method.getReturnType())
          && areSpecialCases(method.getParameterTypes(), parameters)) {
        try {
          return MethodHandles.lookup().unreflect(method).asType(type);
        } catch (IllegalAccessException e) {
          break;
        }
      }
    }
    NoSuchMethodError missing = new NoSuchMethodError(owner.getName() + "." + name + type);
    return MethodHandles.dropArguments(
        MethodHandles.throwException(result, NoSuchMethodError.class).bindTo(missing),
        0,
        type.parameterList());
  }

  private static boolean areSpecialCases(Class<?>[] special, Class<?>[] general) {
    boolean are = special.length == general.length;
    for (int i = 0; are && i < general.length; i++) {
      are = general[i].isAssignableFrom(special[i]);
    }
    return are;
  }
}
