package io.rowguard.config;

import io.rowguard.layout.KnownLayouts;
import io.rowguard.layout.LayoutSyntaxException;
import io.rowguard.layout.RowkeyLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Reads and judges what a descriptor says of edits that arrive from other clusters, for {@link
 * TableConfigReader}. It throws for nothing.
 */
final class ReplicationReader {
  private static final String KEY = RowguardKey.REPLICATION_LAYOUTS.key();

  private final TableDescriptor table;
  private final List<String> problems;

  /**
   * A reader.
   *
   * @param problems what is wrong is added to these
   */
  ReplicationReader(TableDescriptor table, List<String> problems) {
    this.table = table;
    this.problems = problems;
  }

  boolean isDeclared() {
    return text() != null;
  }

  private String text() {
    return table.getValue(KEY);
  }

  /** The value that names two layouts, whatever literals they have. */
  static String text(RowkeyLayout first, RowkeyLayout second) {
    return escaped(first) + " ; " + escaped(second);
  }

  private static String escaped(RowkeyLayout layout) {
    return layout.toString().replace(";", "\\x3B").replaceAll("^ | $", "\\\\x20");
  }

  /** The layouts that are named and are some, in their order. */
  List<RowkeyLayout> named(int maxRowLength) {
    List<RowkeyLayout> named = new ArrayList<>();
    for (String each : isDeclared() ? text().split(";", -1) : new String[0]) {
      try {
        named.add(RowkeyLayout.parse(each.trim()).withMaxRowLength(maxRowLength));
      } catch (LayoutSyntaxException e) {
        problems.add(KEY + ": " + e.getMessage() + ".");
      }
    }
    return named;
  }

  /** Rows that no layout reads have to be refused: then their sender keeps them. */
  void check(Mode mode) {
    if (mode != Mode.REJECT && mode != Mode.SALT) {
      problems.add(
          RowguardKey.MODE.key()
              + " is \""
              + mode.name().toLowerCase(Locale.ROOT)
              + "\", but while "
              + KEY
              + " is set it must be reject or salt, since each edit that arrives has to go to its"
              + " own row.");
    }
    String replication = table.getValue(RowguardKey.REPLICATION.key());
    if (replication != null && replication.trim().equals("accept")) {
      problems.add(
          RowguardKey.REPLICATION.key()
              + " is \"accept\", but while "
              + KEY
              + " is set it must be enforce: a row that none of these layouts reads would be stored"
              + " where no client looks.");
    }
  }

  /**
   * All layouts together; null where they do not go together, which then is among the problems.
   *
   * @param own of the table, the one that takes the writes in the end first
   */
  KnownLayouts known(List<RowkeyLayout> own, List<RowkeyLayout> named, Mode mode) {
    List<RowkeyLayout> all = new ArrayList<>(own);
    all.addAll(named);
    if (mode == Mode.SALT) {
      // A bare key that arrives is salted, so none may pass for a row of another cluster.
      all.add(own.get(0).bare().withMaxRowLength(own.get(0).rowLengthLimit()));
    }
    String obstacle = KnownLayouts.obstacle(all);
    if (obstacle != null) {
      problems.add(KEY + ": rows cannot arrive in all of these layouts: " + obstacle + ".");
      return null;
    }
    return KnownLayouts.of(all);
  }
}
