package io.rowguard.tools.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A share as people write it, {@code 20%} or {@code 20}, as 0.2; {@code none} is 0. */
public final class PercentText implements ITypeConverter<Double> {
  /** The word for no share. */
  public static final String NONE = "none";

  private static final Pattern TEXT = Pattern.compile("(\\d{1,5}(?:\\.\\d{1,3})?) ?%?");

  public PercentText() {}

  @Override
  public Double convert(String text) {
    if (text.equals(NONE)) {
      return 0.0;
    }
    Matcher matcher = TEXT.matcher(text);
    double percent = matcher.matches() ? Double.parseDouble(matcher.group(1)) : 0;
    if (percent == 0) {
      throw new TypeConversionException(
          "'" + text + "' is no percentage above 0 such as 20%, nor " + NONE);
    }
    return percent / 100;
  }
}
