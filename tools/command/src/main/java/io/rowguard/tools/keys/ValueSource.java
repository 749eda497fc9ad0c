package io.rowguard.tools.keys;

import io.rowguard.layout.Segment;
import io.rowguard.layout.SegmentType;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The source of one segment's numbers, such as {@code zipf(1000)}: a function of the index of the
 * key. Immutable and thread-safe.
 */
abstract class ValueSource {
  /** The forms, for messages and help. */
  static final String FORMS =
      "seq, seq(start), seq(start,step), each(n), cycle(n), uniform(n), random, zipf(n),"
          + " clock(per-second), hour(per-second), day(per-second), or a whole number";

  /** When clocks begin: fixed, so that the same command gives the same keys. */
  static final long CLOCK_START = Instant.parse("2025-11-20T00:00:00Z").toEpochMilli();

  private static final long DEFAULT_RATE = 1000;
  private static final long MILLIS_PER_HOUR = 3_600_000;
  private static final long MILLIS_PER_DAY = 24 * MILLIS_PER_HOUR;
  private static final Set<String> WITH_A_NUMBER =
      Set.of("each", "cycle", "uniform", "zipf", "clock", "hour", "day");

  private static final Pattern FORM = Pattern.compile("([a-z]+)(?:\\((\\d+(?:,\\d+)*)\\))?");

  /** The number for a key. */
  abstract long at(long index);

  /** The largest number of the first {@code count} keys. */
  abstract long largest(long count);

  /**
   * Reads a source.
   *
   * @param segment the segment that it is for
   * @param seed what its random choices depend on
   * @throws IllegalArgumentException when it is none; the message lists the forms
   */
  static ValueSource parse(String text, Segment segment, long seed) {
    if (text.matches("\\d{1,18}")) {
      return new Linear(Long.parseLong(text), 0, 1);
    }
    if (text.equals("random")) {
      return new Anything(segment, seed);
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw unknown(text);
    }
    List<Long> arguments = new ArrayList<>();
    if (form.group(2) != null) {
      for (String argument : form.group(2).split(",", -1)) {
        arguments.add(number(argument, text));
      }
    }
    return parse(text, form.group(1), arguments, seed);
  }

  private static ValueSource parse(String text, String name, List<Long> arguments, long seed) {
    long first = arguments.isEmpty() ? 0 : arguments.get(0);
    int count = arguments.size();
    if (name.equals("seq") && count <= 2) {
      return new Linear(first, count < 2 ? 1 : arguments.get(1), 1);
    }
    if (count > 1) {
      throw unknown(text);
    }
    if (count == 1 && first == 0 && WITH_A_NUMBER.contains(name)) {
      throw new IllegalArgumentException(
          "The number of a source of values is 1 or more. found=\"" + text + "\"");
    }
    long rate = count == 0 ? DEFAULT_RATE : first;
    switch (name) {
      case "clock":
        return new Clock(rate, Clock.Unit.MILLIS);
      case "hour":
        return new Clock(rate, Clock.Unit.HOUR_IN_SECONDS);
      case "day":
        return new Clock(rate, Clock.Unit.DAY_AS_DATE);
      default:
    }
    if (count == 0) {
      throw unknown(text);
    }
    switch (name) {
      case "each":
        return new Linear(0, 1, first);
      case "cycle":
        return new Cycle(first);
      case "uniform":
        return new Uniform(first, seed);
      case "zipf":
        return new Zipf(first, seed);
      default:
        throw unknown(text);
    }
  }

  private static long number(String digits, String text) {
    if (digits.length() > 18) {
      throw unknown(text);
    }
    return Long.parseLong(digits);
  }

  private static IllegalArgumentException unknown(String text) {
    return new IllegalArgumentException(
        "Not a source of values. found=\"" + text + "\" expected=\"" + FORMS + "\"");
  }

  /** A well-mixed number for an index: the finalizer of SplitMix64, by Sebastiano Vigna. */
  static long mixed(long index, long seed) {
    long z = seed + (index + 1) * 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** Counts up: by a step, after so many keys. */
  private static final class Linear extends ValueSource {
    private final long start;
    private final long step;
    private final long keys;

    Linear(long start, long step, long keys) {
      this.start = start;
      this.step = step;
      this.keys = keys;
    }

    @Override
    long at(long index) {
      return start + index / keys * step;
    }

    @Override
    long largest(long count) {
      return Math.addExact(start, Math.multiplyExact((count - 1) / keys, step));
    }
  }

  /** Counts up and begins anew. */
  private static final class Cycle extends ValueSource {
    private final long length;

    Cycle(long length) {
      this.length = length;
    }

    @Override
    long at(long index) {
      return index % length;
    }

    @Override
    long largest(long count) {
      return Math.min(count, length) - 1;
    }
  }

  /** Every number below a limit is equally likely. */
  private static final class Uniform extends ValueSource {
    private final long limit;
    private final long seed;

    Uniform(long limit, long seed) {
      this.limit = limit;
      this.seed = seed;
    }

    @Override
    long at(long index) {
      return (mixed(index, seed) >>> 1) % limit;
    }

    @Override
    long largest(long count) {
      return limit - 1;
    }
  }

  /** Every value of a segment is equally likely. */
  private static final class Anything extends ValueSource {
    private final boolean isUnsigned;
    private final long largest;
    private final long seed;

    Anything(Segment segment, long seed) {
      this.isUnsigned = NumberedRows.isUnsigned(segment);
      this.largest = NumberedRows.largest(segment);
      this.seed = seed;
      boolean isHex = isUnsigned && segment.type().kind() != SegmentType.Kind.BYTES;
      if (isUnsigned && segment.isFixedLength() && segment.minLength() > (isHex ? 16 : 8)) {
        throw new IllegalArgumentException(
            "random has 64 bits, 16 hex digits or 8 bytes; the segment is longer. segment="
                + segment.name()
                + " type="
                + segment.type());
      }
    }

    @Override
    long at(long index) {
      long bits = mixed(index, seed);
      if (isUnsigned) {
        return bits;
      }
      return largest == Long.MAX_VALUE ? bits >>> 1 : (bits >>> 1) % (largest + 1);
    }

    @Override
    long largest(long count) {
      return largest;
    }
  }

  /** The number r is 1/(r+1) times as likely as 0: a few users write most of the rows. */
  private static final class Zipf extends ValueSource {
    private static final int MOST = 1_000_000;
    private final double[] upTo;
    private final long seed;

    Zipf(long limit, long seed) {
      if (limit > MOST) {
        throw new IllegalArgumentException("zipf takes 1,000,000 at most. given=" + limit);
      }
      this.seed = seed;
      this.upTo = new double[(int) limit];
      double sum = 0;
      for (int i = 0; i < upTo.length; i++) {
        sum += 1.0 / (i + 1);
        upTo[i] = sum;
      }
    }

    @Override
    long at(long index) {
      double wanted = (mixed(index, seed) >>> 11) * 0x1p-53 * upTo[upTo.length - 1];
      int low = 0;
      int high = upTo.length - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (upTo[middle] > wanted) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return low;
    }

    @Override
    long largest(long count) {
      return upTo.length - 1L;
    }
  }

  /** Time as it goes by while so many keys are written each second. */
  private static final class Clock extends ValueSource {
    private enum Unit {
      MILLIS,
      HOUR_IN_SECONDS,
      DAY_AS_DATE
    }

    private final long perSecond;
    private final Unit unit;

    Clock(long perSecond, Unit unit) {
      this.perSecond = perSecond;
      this.unit = unit;
    }

    @Override
    long at(long index) {
      long millis = CLOCK_START + index / perSecond * 1000 + index % perSecond * 1000 / perSecond;
      switch (unit) {
        case MILLIS:
          return millis;
        case HOUR_IN_SECONDS:
          return millis / MILLIS_PER_HOUR * (MILLIS_PER_HOUR / 1000);
        default:
          return date(millis);
      }
    }

    @Override
    long largest(long count) {
      return at(count - 1);
    }

    private static long date(long millis) {
      LocalDate day = LocalDate.ofEpochDay(millis / MILLIS_PER_DAY);
      return day.getYear() * 10_000L + day.getMonthValue() * 100L + day.getDayOfMonth();
    }
  }
}
