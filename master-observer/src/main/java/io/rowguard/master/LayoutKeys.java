package io.rowguard.master;

import io.rowguard.config.Relayout;
import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutSyntaxException;
import io.rowguard.layout.RowkeyLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * The statement of a descriptor about its table's layouts, right or wrong: the steps of a relayout
 * are held to it also where something else of the configuration is wrong. Immutable.
 */
final class LayoutKeys {
  private final String layout;
  private final String previous;
  private final String phase;
  private final String generation;
  private final String version;

  private LayoutKeys(TableDescriptor table, Configuration conf) {
    layout = TableConfig.of(table, conf).declaredLayout();
    previous = canonical(table.getValue(RowguardKey.LAYOUT_PREVIOUS.key()));
    phase = trimmed(table.getValue(RowguardKey.LAYOUT_PHASE.key()));
    generation = trimmed(table.getValue(RowguardKey.LAYOUT_GENERATION.key()));
    version = trimmed(table.getValue(RowguardKey.LAYOUT_VERSION.key()));
  }

  static LayoutKeys of(TableDescriptor table, Configuration conf) {
    return new LayoutKeys(table, conf);
  }

  /** Whether a descriptor says that its table is in a relayout. */
  static boolean isInRelayout(TableDescriptor table) {
    return table.getValue(RowguardKey.LAYOUT_PREVIOUS.key()) != null;
  }

  /** The layout as {@code toString} of it writes it, or as it stands there; null for none. */
  String layout() {
    return layout;
  }

  /** The layout that rows leave, in the same way; null for none. */
  String previous() {
    return previous;
  }

  /** Whether the table is in a relayout. */
  boolean isInRelayout() {
    return previous != null;
  }

  boolean isIn(Relayout.Phase expected) {
    return expected.name().toLowerCase(Locale.ROOT).equals(phase);
  }

  /** The generation of the relayout; 0 for none, or when it is no number. */
  long generation() {
    return number(generation);
  }

  /** How many steps there have been; 0 for none, or where it is no number. */
  long version() {
    return number(version);
  }

  boolean hasVersion() {
    return version != null;
  }

  /** Whether nothing is said of a relayout: what follows a finish. */
  boolean isWithoutRelayout() {
    return previous == null && phase == null && generation == null;
  }

  /** The keys that others have with another value, but for the version. */
  List<String> differences(LayoutKeys other) {
    List<String> keys = new ArrayList<>();
    compare(keys, RowguardKey.LAYOUT, layout, other.layout);
    compare(keys, RowguardKey.LAYOUT_PREVIOUS, previous, other.previous);
    compare(keys, RowguardKey.LAYOUT_PHASE, phase, other.phase);
    compare(keys, RowguardKey.LAYOUT_GENERATION, generation, other.generation);
    return keys;
  }

  private static void compare(List<String> keys, RowguardKey key, String a, String b) {
    if (!Objects.equals(a, b)) {
      keys.add(key.key());
    }
  }

  private static String canonical(String layout) {
    try {
      return layout == null ? null : RowkeyLayout.parse(layout).toString();
    } catch (LayoutSyntaxException e) {
      return layout; // the validator says what is wrong with it
    }
  }

  private static String trimmed(String value) {
    return value == null ? null : value.trim();
  }

  private static long number(String text) {
    try {
      return text == null ? 0 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      return 0; // the validator says so
    }
  }

  /** The pairs of a message. */
  @Override
  public String toString() {
    return "layout="
        + MessageText.text(layout)
        + " previous="
        + MessageText.text(previous)
        + " phase="
        + MessageText.text(phase)
        + " generation="
        + MessageText.text(generation)
        + " version="
        + MessageText.text(version);
  }
}
