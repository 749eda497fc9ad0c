package io.rowguard.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks tests that run with {@code -Pwhole} only, as CI does once: they repeat with other seeds, or
 * at a larger scale, what shorter tests show in every build. With {@code -Dgroups=whole} they run
 * without the others.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("whole")
@ExtendWith(WholeMatrix.class)
public @interface WholeOnly {
  /**
   * How many cases of a parameterized test run in every build: that many from the first on. 0 means
   * none, as for a test without parameters.
   */
  int after() default 0;
}
