package io.rowguard.tools.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A number of bytes as an option takes it: {@code 65536}, {@code 64k}, {@code 128m}, {@code 10g}.
 */
public final class ByteSize implements ITypeConverter<Long> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,18})([kmgt]?)b?");
  private static final String UNITS = "kmgt";
  private static final int BITS_PER_UNIT = 10;

  public ByteSize() {}

  @Override
  public Long convert(String text) {
    Matcher size = FORM.matcher(text.toLowerCase(Locale.ROOT));
    if (size.matches()) {
      int shift = BITS_PER_UNIT * (UNITS.indexOf(size.group(2)) + 1);
      long number = Long.parseLong(size.group(1));
      long bytes = size.group(2).isEmpty() ? number : number << shift;
      if (bytes >= 1 && (size.group(2).isEmpty() || bytes >> shift == number)) {
        return bytes;
      }
    }
    throw new TypeConversionException(
        "'" + text + "' is no size: write bytes, or 64k, 128m, 10g (1,024 each)");
  }
}
