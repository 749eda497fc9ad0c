package io.rowguard.testing;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Skips what {@link WholeOnly} marks, unless {@code rowguard.matrix} is {@code whole}. JUnit asks
 * for a class, for a method, and for each case of a parameterized method, whose number ends its
 * unique id.
 */
final class WholeMatrix implements ExecutionCondition {
  private static final Pattern CASE = Pattern.compile("\\[test-template-invocation:#(\\d+)\\]$");

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (System.getProperty("rowguard.matrix", "").equals("whole")) {
      return enabled("all is tested");
    }
    int after =
        AnnotationSupport.findAnnotation(context.getElement(), WholeOnly.class)
            .map(WholeOnly::after)
            .orElse(Integer.MAX_VALUE);
    Matcher number = CASE.matcher(context.getUniqueId());
    boolean isLeftOut = number.find() ? Integer.parseInt(number.group(1)) > after : after == 0;
    return isLeftOut ? disabled("with -Pwhole only") : enabled("in every build");
  }
}
