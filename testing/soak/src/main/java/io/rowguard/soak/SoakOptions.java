package io.rowguard.soak;

import io.rowguard.soak.Fault.Need;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The orders of a soak.
 *
 * @param minutes how long clients work, at least 1
 * @param faults what happens meanwhile
 * @param missing why faults are left out, by what they need; empty where faults were asked for
 * @param seed of all random choices; which thread comes first is up to the machine
 * @param cluster the script {@code cluster.sh}
 * @param directory of the running cluster
 * @param history where events and histories are written
 */
record SoakOptions(
    int minutes,
    Set<Fault> faults,
    Map<Need, String> missing,
    long seed,
    Path cluster,
    Path directory,
    Path history) {

  /** Usage, one line. */
  static final String USAGE =
      "usage: Soak --minutes N --seed S --faults NAME,... --cluster SCRIPT --dir DIR --history DIR"
          + " [--no-network REASON] [--no-small-disk REASON]";

  /**
   * Reads a command line.
   *
   * @throws IllegalArgumentException with what is wrong, for the user
   */
  static SoakOptions parse(String... arguments) {
    int minutes = 0;
    long seed = 0;
    Set<Fault> asked = EnumSet.noneOf(Fault.class);
    Map<Need, String> missing = new EnumMap<>(Need.class);
    Path cluster = null;
    Path directory = null;
    Path history = null;
    for (int i = 0; i < arguments.length; i += 2) {
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException(arguments[i] + " needs a value. " + USAGE);
      }
      String value = arguments[i + 1];
      switch (arguments[i]) {
        case "--minutes" -> minutes = (int) number(arguments[i], value, 1, 10_000);
        case "--seed" -> seed = number(arguments[i], value, 0, Long.MAX_VALUE);
        case "--faults" -> asked = faults(value);
        case "--no-network" -> missing.put(Need.NETWORK, value);
        case "--no-small-disk" -> missing.put(Need.SMALL_DISK, value);
        case "--cluster" -> cluster = Path.of(value);
        case "--dir" -> directory = Path.of(value);
        case "--history" -> history = Path.of(value);
        default -> throw new IllegalArgumentException("What is " + arguments[i] + "? " + USAGE);
      }
    }
    if (minutes == 0 || cluster == null || directory == null || history == null) {
      throw new IllegalArgumentException("Something is not said. " + USAGE);
    }
    for (Fault fault : asked) {
      if (missing.containsKey(fault.need())) {
        throw new IllegalArgumentException(
            fault + " cannot be done here: " + missing.get(fault.need()));
      }
    }
    if (!asked.isEmpty()) {
      return new SoakOptions(minutes, asked, Map.of(), seed, cluster, directory, history);
    }
    Set<Fault> possible = EnumSet.allOf(Fault.class);
    possible.removeIf(fault -> missing.containsKey(fault.need()));
    return new SoakOptions(minutes, possible, missing, seed, cluster, directory, history);
  }

  private static long number(String name, String value, long least, long most) {
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        name + " needs a number from " + least + " to " + most + ", not " + value);
  }

  private static Set<Fault> faults(String names) {
    Set<Fault> faults = EnumSet.noneOf(Fault.class);
    for (String name : names.split(",", -1)) {
      faults.add(
          Stream.of(Fault.values())
              .filter(fault -> fault.toString().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "No fault is called \"" + name + "\"; there are " + Fault.names())));
    }
    return faults;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "minutes=%d seed=%d faults=%s",
        minutes,
        seed,
        faults.stream().map(Fault::toString).collect(Collectors.joining(",")));
  }
}
