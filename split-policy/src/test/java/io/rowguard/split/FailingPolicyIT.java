package io.rowguard.split;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.TestLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.SplitPolicyAccess;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The policy on a version of HBase that misses a method: the region does not split, and one line of
 * the log names the method. An error that left the policy would end the server's thread that
 * flushes.
 */
@ExtendWith(MiniCluster.class)
class FailingPolicyIT {
  private static final int ROWS = 500;

  private final HBaseTestingUtility hbase;

  FailingPolicyIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** Loads the policy's own classes anew, calling a method by a name that HBase does not have. */
  private static final class Renaming extends ClassLoader {
    private final String method;

    Renaming(String method) {
      super(FailingPolicyIT.class.getClassLoader());
      this.method = method;
    }

    /** The method's name: another one of the same length. */
    String missing() {
      return method.substring(1) + "_";
    }

    RegionSplitPolicy policyOf(HRegion region) throws ReflectiveOperationException {
      Class<?> type = loadClass(LayoutRegionSplitPolicy.class.getName());
      RegionSplitPolicy policy = (RegionSplitPolicy) type.getConstructor().newInstance();
      policy.setConf(region.getReadOnlyConfiguration());
      SplitPolicyAccess.configureForRegion(policy, region);
      return policy;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.rowguard.split.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = getParent().getResourceAsStream(file)) {
        String code = new String(in.readAllBytes(), ISO_8859_1);
        byte[] renamed = code.replace(constant(method), constant(missing())).getBytes(ISO_8859_1);
        return defineClass(name, renamed, 0, renamed.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    /** A string of a class file's constant pool: its tag, its length, itself. */
    private static String constant(String text) {
      return "\1\0" + (char) text.length() + text;
    }
  }

  /** A policy that misses a method of HBase whatever it is asked. */
  public static final class Outdated extends RegionSplitPolicy {
    /** For HBase. */
    public Outdated() {}

    @Override
    protected boolean shouldSplit() {
      throw new NoSuchMethodError("gone");
    }

    @Override
    protected boolean canSplit() {
      throw new NoSuchMethodError("gone");
    }

    @Override
    protected byte[] getSplitPoint() {
      throw new NoSuchMethodError("gone");
    }
  }

  /** The region is over the limit, and could be split at a given key. */
  @ParameterizedTest
  @ValueSource(strings = {"getTableDescriptor", "getValue"})
  void configureForRegion_methodMissing_neverSplits(String method) throws Exception {
    try (FilledTable table =
        FilledTable.create(
            hbase,
            t -> t.setValue("hbase.table.sanity.checks", "false").setValue("MAX_FILESIZE", "1000"),
            UnaryOperator.identity())) {
      HRegion region = table.fill(ROWS, 1).region();
      assertTrue(region.isSplittable());

      RegionSplitPolicy policy = assertNoSplitPoint(region, method);

      assertFalse(SplitPolicyAccess.shouldSplit(policy));
      assertFalse(SplitPolicyAccess.canSplit(policy));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "getStores",
        "getStorefiles",
        "getFirstKey",
        "getHFileReader",
        "getLoadOnOpenDataOffset",
        "cloneRow",
        "compareRows",
        "estimatedSerializedSizeOf",
        "containsRow"
      })
  void getSplitPoint_methodMissing_isNoneAndNoFileStaysInUse(String method) throws Exception {
    try (FilledTable table = FilledTable.create(hbase)) {
      HRegion region = table.fill(ROWS, 1).region();

      assertNoSplitPoint(region, method);

      for (HStoreFile file : region.getStore(FilledTable.F).getStorefiles()) {
        assertFalse(file.isReferencedInReads(), file.toString());
      }
    }
  }

  /** The region has a split point. However often the policy is asked, it says why once. */
  private static RegionSplitPolicy assertNoSplitPoint(HRegion region, String method)
      throws ReflectiveOperationException {
    assertNotNull(FilledTable.splitPoint(region));
    long before = SplitCounters.count("failedRegions");
    Renaming missing = new Renaming(method);

    RegionSplitPolicy policy = missing.policyOf(region);
    for (int i = 0; i < 3; i++) {
      assertNull(SplitPolicyAccess.getSplitPoint(policy));
    }

    assertEquals(before + 1, SplitCounters.count("failedRegions"));
    List<String> errors = errors(region);
    assertEquals(1, errors.size(), errors::toString);
    assertTrue(errors.get(0).contains("." + missing.missing() + "("), errors::toString);
    return policy;
  }

  /** As HBase asks: when the region was flushed, and when the master wants to split it. */
  @Test
  void server_policyThatFails_flushesAndSaysSoOncePerOpening() throws Exception {
    long before = SplitCounters.count("failedRegions");
    try (FilledTable table =
        FilledTable.create(
            hbase,
            t -> t.setValue("rowguard.split.when", Outdated.class.getName()),
            UnaryOperator.identity())) {
      HRegion region = table.put(table.puts(ROWS, 1)).region();

      HBaseSplits.assertNeverSplits(hbase, region, Bytes.toBytes("g20"));

      assertEquals(1, errors(region).size(), () -> errors(region).toString());
      assertEquals(before + 1, SplitCounters.count("failedRegions"));

      table.alter(t -> t.setValue("rowguard.row.max.length", "100"));
      assertFalse(table.region().isSplittable());

      assertEquals(2, errors(region).size(), () -> errors(region).toString());
      assertEquals(before + 2, SplitCounters.count("failedRegions"));
    }
  }

  /** The lines of the log that say of a region that it does not split. */
  private static List<String> errors(HRegion region) {
    String name = region.getRegionInfo().getEncodedName();
    try (Stream<String> log = Files.lines(TestLog.path())) {
      return log.filter(line -> line.contains(" ERROR ") && line.contains("SplitPolicy: "))
          .filter(line -> line.contains(name))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
