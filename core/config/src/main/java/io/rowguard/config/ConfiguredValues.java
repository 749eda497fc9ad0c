package io.rowguard.config;

import io.rowguard.layout.RowText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * The values of single keys, from the descriptor or else from {@code hbase-site.xml}, for {@link
 * TableConfigReader}. A value that its key does not take is a problem, and throws nothing.
 */
final class ConfiguredValues {
  private static final Pattern CLASS_NAME =
      Pattern.compile("\\p{javaJavaIdentifierStart}[\\p{javaJavaIdentifierPart}.]*");

  private final TableDescriptor table;
  private final Configuration conf;
  private final boolean forClient;
  private final List<String> problems;

  /**
   * The values of a table.
   *
   * @param forClient whether {@code conf} is a client's, which is no part of what servers judge
   * @param problems mistakes are added to these
   */
  ConfiguredValues(
      TableDescriptor table, Configuration conf, boolean forClient, List<String> problems) {
    this.table = table;
    this.conf = conf;
    this.forClient = forClient;
    this.problems = problems;
  }

  /** A number from 1 to {@code most}, inclusive. */
  long number(RowguardKey key, long most) {
    return number(key, 1, most);
  }

  /** A number between two bounds, inclusive; one that is allowed where it is wrong. */
  long number(RowguardKey key, long least, long most) {
    String text = value(key);
    try {
      long number = Long.parseLong(text.trim());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, together with numbers that are out of range.
    }
    problems.add(wrongValue(key, text, key.type()));
    return key.defaultValue() == null ? most : Long.parseLong(key.defaultValue());
  }

  /** One of the constants of an enum, in lower case; the first where it is wrong. */
  <E extends Enum<E>> E choice(RowguardKey key, Class<E> type) {
    String text = value(key);
    for (E constant : type.getEnumConstants()) {
      if (constant.name().toLowerCase(Locale.ROOT).equals(text.trim())) {
        return constant;
      }
    }
    String expected =
        Arrays.stream(type.getEnumConstants())
            .map(constant -> constant.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(" or "));
    problems.add(wrongValue(key, text, expected));
    return type.getEnumConstants()[0];
  }

  /** Names only: the classes need not be there where this is read. */
  Set<String> classNames(RowguardKey key) {
    Set<String> names = new LinkedHashSet<>();
    String text = value(key);
    for (String name : text == null ? new String[0] : text.split(",", -1)) {
      String trimmed = name.trim();
      if (CLASS_NAME.matcher(trimmed).matches()) {
        names.add(trimmed);
      } else if (!trimmed.isEmpty()) {
        problems.add(wrongValue(key, trimmed, key.type()));
      }
    }
    return Collections.unmodifiableSet(names);
  }

  /** The sentence about a value that its key does not take. */
  static String wrongValue(RowguardKey key, String found, String expected) {
    return key.key() + " is \"" + shown(found) + "\"; it must be " + expected + ".";
  }

  /** The text of a key; its default where none is configured. */
  String value(RowguardKey key) {
    String own = table.getValue(key.key());
    if (own != null) {
      return own;
    }
    if (forClient && !isOfClients(key)) {
      return key.defaultValue();
    }
    try {
      return conf.get(key.key(), key.defaultValue());
    } catch (IllegalStateException e) {
      // Hadoop gives up on a value after it has replaced twenty variables in it.
      problems.add(key.key() + " in hbase-site.xml cannot be read: " + shown(e.getMessage()) + ".");
      return key.defaultValue();
    }
  }

  /** Whether a client's own hbase-site.xml is where a client reads it when the table is silent. */
  private static boolean isOfClients(RowguardKey key) {
    return key == RowguardKey.LAYOUT
        || key == RowguardKey.GROUP
        || key == RowguardKey.ROW_MAX_LENGTH
        || key == RowguardKey.SCAN_MAX_BUCKETS
        || key == RowguardKey.FILTERS_ROW_BLIND;
  }

  /** For a message of one line, and not a long one: it goes to every client that is refused. */
  static String shown(String text) {
    return RowText.abbreviated(text.getBytes(StandardCharsets.UTF_8));
  }
}
