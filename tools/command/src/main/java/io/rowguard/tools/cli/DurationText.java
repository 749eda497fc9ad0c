package io.rowguard.tools.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time as people write it: {@code 500ms}, {@code 10s}, {@code 5m}, {@code 2h}. */
public final class DurationText implements ITypeConverter<Duration> {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,7})(ms|s|m|h)");

  public DurationText() {}

  @Override
  public Duration convert(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException("'" + text + "' is no time such as 500ms, 10s, 5m or 2h");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }
}
