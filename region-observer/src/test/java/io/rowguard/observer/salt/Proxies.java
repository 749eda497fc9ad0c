package io.rowguard.observer.salt;

import java.lang.reflect.Proxy;
import java.util.Map;

/** Objects that answer some methods of an interface, by their names, and fail on all others. */
public final class Proxies {
  private Proxies() {}

  /** The answer of a method. */
  public interface Answer {
    Object get(Object self, Object[] arguments) throws Throwable;
  }

  public static <T> T of(Class<T> type, Map<String, Answer> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              Answer answer = answers.get(method.getName());
              if (answer == null) {
                throw new UnsupportedOperationException(method.getName());
              }
              return answer.get(self, arguments);
            }));
  }
}
