package io.rowguard.soak;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** An object of HBase's API of which a test writes only the methods that it needs. */
final class Fake {
  private Fake() {}

  /**
   * An object of an interface.
   *
   * @param methods an object with methods of the same names and parameters; any other method fails
   */
  static <T> T of(Class<T> type, Object methods) {
    return type.cast(
        Proxy.newProxyInstance(
            Fake.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Method own =
                  methods
                      .getClass()
                      .getDeclaredMethod(method.getName(), method.getParameterTypes());
              own.setAccessible(true);
              try {
                return own.invoke(methods, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
