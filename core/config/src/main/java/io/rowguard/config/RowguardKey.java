package io.rowguard.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Every configuration key of Rowguard, with its type, default, unit and one line of help.
 *
 * <p>Each key is read from the table descriptor, else from {@code hbase-site.xml}, which so holds
 * the cluster's defaults; some from the descriptor only ({@link #isOfDescriptorOnly}). The
 * reference page {@code docs/configuration.md} is generated from this enum, and a test keeps the
 * two in step.
 */
public enum RowguardKey {
  /** The layout of the table's rowkeys. */
  LAYOUT(
      "rowguard.layout",
      "a layout",
      null,
      "The form of the table's rowkeys. Without it nothing is checked, and the split policy"
          + " honours HBase's own prefix settings, if there are any."),
  /** The layout that rows leave while they go to another. */
  LAYOUT_PREVIOUS(
      "rowguard.layout.previous",
      "a layout",
      null,
      "The layout that the table's rows leave for `rowguard.layout`. Set by `rowguard relayout`;"
          + " read from the descriptor only."),
  /** How far a change of the layout is. */
  LAYOUT_PHASE(
      "rowguard.layout.phase",
      choices(Relayout.Phase.values()),
      null,
      "Which rows take the writes while the layout changes: the old ones (`prepared`) or the new"
          + " ones (`moving`). Set by `rowguard relayout`; read from the descriptor only."),
  /** Tells one change of the layout from the next. */
  LAYOUT_GENERATION(
      "rowguard.layout.generation",
      "a number, 1 to 1000000000",
      null,
      "Tells one change of the layout from the next. Set by `rowguard relayout`; read from the"
          + " descriptor only."),
  /** Counts the steps of changes of the layout. */
  LAYOUT_VERSION(
      "rowguard.layout.version",
      "a number, 1 to 1000000000",
      null,
      "Counts the steps of all changes of the layout. Set by `rowguard relayout`; read from the"
          + " descriptor only."),
  /** Whether moved rows are read back. */
  RELAYOUT_VERIFY(
      "rowguard.relayout.verify",
      choices(Verify.values()),
      "sample",
      "Which rows that a relayout moves are read back at their new place before they are deleted at"
          + " the old one: `all`, a `sample` of one in 100, or none (`off`). A row that differs is"
          + " not deleted."),
  /** The segment that ends the entity group. */
  GROUP(
      "rowguard.group",
      "the name of a segment",
      null,
      "The segment that ends the entity group: rows that agree up to and including it stay in"
          + " one region. Without it every row is its own group."),
  /** The treatment of rows that do not conform. */
  MODE(
      "rowguard.mode",
      choices(Mode.values()),
      "reject",
      "How a write is treated whose row does not conform: `reject` refuses it, `salt` stores a"
          + " bare key under its salted row and refuses the rest, `warn` counts it, logs a sample"
          + " and lets it through (a dry run), `off` does not look."),
  /** The longest row that conforms. */
  ROW_MAX_LENGTH(
      "rowguard.row.max.length",
      "bytes, 1 to 32767",
      "32767",
      "Rows longer than this do not conform."),
  /** The policy that decides when a region is split. */
  SPLIT_WHEN(
      "rowguard.split.when",
      "a RegionSplitPolicy class",
      null,
      "The split policy that decides when a region is split; Rowguard decides where. Default:"
          + " `hbase.regionserver.region.split.policy`, else HBase's own default."),
  /** How closely HFiles are looked at before a bulk load takes them. */
  BULKLOAD(
      "rowguard.bulkload",
      choices(HFileCheck.values()),
      "blocks",
      "How closely HFiles are looked at before a bulk load takes them: `blocks` looks at the"
          + " first and the last row and at the first rows of up to 256 blocks of each file,"
          + " `full` reads every row, `off` does not look."),
  /** The treatment of deletes of rows that do not conform. */
  DELETE(
      "rowguard.delete",
      choices(Acceptance.values()),
      "accept",
      "Deletes of rows that do not conform: `accept`, so that bad rows can be cleaned up, or"
          + " `enforce`, as for other writes."),
  /** The treatment of edits that arrive by replication. */
  REPLICATION(
      "rowguard.replication",
      choices(Acceptance.values()),
      "accept",
      "Edits that arrive by replication: `accept` them and count those that do not conform, or"
          + " `enforce`. A refused edit stalls its peer until it is let through."),
  /** The layouts that rows may have which arrive by replication. */
  REPLICATION_LAYOUTS(
      "rowguard.replication.layouts",
      "layouts",
      null,
      "Layouts, with `;` between, in which edits arrive from other clusters, beside the table's own."
          + " Each edit goes to the row of its bare key; one that none of them reads is refused."
          + " `\\x3B` is a literal `;`. Read from the descriptor only."),
  /** The treatment, in salt mode, of scans that no row can answer. */
  SCAN(
      "rowguard.scan",
      choices(BoundedScans.values()),
      "reject",
      "Salt mode: a scan between bounds where no row can lie, such as one over bare keys:"
          + " `reject` it, since it would silently find nothing, or `accept`."),
  /** Whether salt mode takes an ambiguous layout. */
  SALT_AMBIGUOUS(
      "rowguard.salt.ambiguous",
      choices(AmbiguousLayouts.values()),
      "reject",
      "Salt mode on a layout in which a bare key can pass for a salted row: `reject` takes it for"
          + " wrong configuration, `accept` takes the risk that such a key is stored as it comes."),
  /** The longest wait for one forwarded batch. */
  SALT_TIMEOUT(
      "rowguard.salt.timeout.ms",
      "milliseconds, 1 to 50000",
      "10000",
      "Salt mode: the longest that a request waits for what is forwarded for it. Rows not stored by"
          + " then fail in a way that clients retry."),
  /** The most bytes that a server forwards at a time. */
  SALT_MAX_BYTES(
      "rowguard.salt.max.bytes",
      "bytes, 1 or more",
      null,
      "Salt mode: the most bytes of bare rows that a server has under way to their salted rows,"
          + " of all tables together. Beyond it a batch is sent back at once in a way that"
          + " clients retry later. Default: a 32nd of the server's heap."),
  /** The most sub-scans that one scan of SaltedTable may become. */
  SCAN_MAX_BUCKETS(
      "rowguard.scan.max.buckets",
      "a number, 1 to 65536",
      "256",
      "SaltedTable: the most sub-scans that one scan may become, one per value of the salt. A scan"
          + " of more is refused."),
  /** The filters of the user's own that need not be translated. */
  FILTERS_ROW_BLIND(
      "rowguard.filters.row.blind",
      "names of filter classes, with commas between",
      null,
      "SaltedTable and SaltedConnection: filter classes of your own that look neither at rows nor"
          + " from one row to the next, so that they may travel as they are. Others are refused."),
  /** The treatment of a merge that undoes a pre-split. */
  MERGE(
      "rowguard.merge",
      choices(Merges.values()),
      "warn",
      "A merge, also by HBase's normalizer, of regions that hold different values of the salt or"
          + " that an even pre-split keeps apart: `warn` in the master's log, `reject` it, or"
          + " `accept` it without a word."),
  /** The share of reads and writes that the summary of a region's load counts. */
  LOAD_SAMPLE(
      "rowguard.load.sample",
      "a number, 0 to 1000000",
      "100",
      "One in so many reads and writes is counted in the summary of its region's load, which"
          + " names hot rows and entity groups; 0 counts none."),
  /** How long an operation counts in the summary of a region's load. */
  LOAD_HALFLIFE(
      "rowguard.load.halflife.seconds",
      "seconds, 1 to 86400",
      "60",
      "After so long an operation counts half in the summary of its region's load."),
  /** Whether the summary of a region's load names its keys. */
  LOAD_KEYS(
      "rowguard.load.keys",
      choices(LoadKeys.values()),
      "show",
      "Whether a server's JMX may `show` hot keys. `hide` makes numbers of them, which are"
          + " others after each start of the server."),
  /** The load of a region above which it is cut. */
  SPLIT_LOAD(
      "rowguard.split.load",
      "operations a second, 0 to 1000000000",
      "0",
      "A region whose load stays above it is split at the boundary that divides the load best,"
          + " if one divides it; 0 splits none by load."),
  /** How long a region must have that load, how old it must be, and the pause between two cuts. */
  SPLIT_LOAD_MINUTES(
      "rowguard.split.load.minutes",
      "minutes, 1 to 1440",
      "5",
      "Splits by load: how long a region must be above the load, how old it must be, and how long"
          + " ago the last such split."),
  /** The regions of a table on a server at which none is cut by load. */
  SPLIT_LOAD_MAX_REGIONS(
      "rowguard.split.load.max.regions",
      "a number, 1 to 10000",
      "20",
      "Splits by load: none where the server has so many regions of the table."),
  /** The reason for which the master lets a change through that it would refuse. */
  FORCE(
      "rowguard.force",
      "a reason in words",
      null,
      "Lets the `create` or `alter` through that it comes with, where the master observer would"
          + " refuse it. The reason is logged, and not kept on the table. Alone in an `alter` it"
          + " opens the table for ten minutes to all that would be refused, such as a split, but"
          + " not to steps of a relayout. Read from the descriptor only.");

  /** The beginning of every key of Rowguard, in lower case. */
  public static final String PREFIX = "rowguard.";

  private final String key;
  private final String type;
  private final String defaultValue;
  private final String help;

  RowguardKey(String key, String type, String defaultValue, String help) {
    this.key = key;
    this.type = type;
    this.defaultValue = defaultValue;
    this.help = help;
  }

  /** The key as it stands in a descriptor or in hbase-site.xml. */
  public String key() {
    return key;
  }

  /** The values that it takes, and their unit, for people. */
  public String type() {
    return type;
  }

  /** The value when none is given, or null when there is no such value. */
  public String defaultValue() {
    return defaultValue;
  }

  /** One or two sentences for the reference page; names in backquotes. */
  public String help() {
    return help;
  }

  /** Whether it is read from the table's descriptor only, never from hbase-site.xml. */
  public boolean isOfDescriptorOnly() {
    switch (this) {
      case LAYOUT_PREVIOUS:
      case LAYOUT_PHASE:
      case LAYOUT_GENERATION:
      case LAYOUT_VERSION:
      case REPLICATION_LAYOUTS:
      case FORCE:
        return true;
      default:
        return false;
    }
  }

  /** Whether a key is one of these; exact, since HBase's keys are case-sensitive. */
  public static boolean isKnown(String key) {
    return Arrays.stream(values()).anyMatch(known -> known.key.equals(key));
  }

  /**
   * Whether a key was meant for Rowguard, well spelt or not: it begins with {@link #PREFIX} in any
   * case.
   */
  public static boolean isOurs(String key) {
    return key.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
  }

  /** All keys, for a message that lists them. */
  static String list() {
    return Arrays.stream(values()).map(RowguardKey::key).collect(Collectors.joining(", "));
  }

  private static String choices(Enum<?>[] values) {
    return Arrays.stream(values)
        .map(value -> value.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}
