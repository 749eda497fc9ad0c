package io.rowguard.config;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.KnownLayouts;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.routing.RowRouter;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * The configuration of one table: read once when a region opens, the same for every plugin.
 * Immutable and thread-safe.
 *
 * <p>A table is in one of three states:
 *
 * <ul>
 *   <li>it has a <em>layout</em>, and everything configured is right;
 *   <li>it is <em>wrong</em>: something configured cannot be what was meant. Nothing may be written
 *       or split until it is mended, since guessing could store rows that are never found again;
 *   <li>it has neither: Rowguard has nothing to do here.
 * </ul>
 */
public final class TableConfig {
  private final EntityGroup group;
  private final Relayout relayout;
  private final KnownLayouts knownLayouts;
  private final RowRouter router;
  private final long layoutVersion;
  private final String declaredLayout;
  private final String declaredGroup;
  private final Mode mode;
  private final HFileCheck bulkLoads;
  private final Acceptance deletes;
  private final Acceptance replication;
  private final String splitWhen;
  private final BoundedScans scans;
  private final int saltTimeoutMillis;
  private final long saltMaxBytes;
  private final int scanMaxBuckets;
  private final Set<String> rowBlindFilters;
  private final SortedMap<byte[], Integer> maxVersions;
  private final SortedMap<byte[], Integer> timesToLive;
  private final Merges merges;
  private final int loadSample;
  private final int loadHalfLifeSeconds;
  private final LoadKeys loadKeys;
  private final Verify verify;
  private final int splitLoad;
  private final int splitLoadMinutes;
  private final int splitLoadMaxRegions;
  private final boolean observedFirst;
  private final List<String> problems;
  private final List<String> warnings;

  TableConfig(TableConfigReader reader) {
    this.problems = Collections.unmodifiableList(reader.problems());
    this.warnings = Collections.unmodifiableList(reader.warnings());
    this.group = problems.isEmpty() ? reader.group() : null;
    this.relayout = problems.isEmpty() ? reader.relayout() : null;
    this.knownLayouts = problems.isEmpty() ? reader.knownLayouts() : null;
    this.layoutVersion = reader.layoutVersion();
    this.declaredLayout = reader.declaredLayout();
    this.declaredGroup = reader.declaredGroup();
    this.mode = reader.mode();
    this.router = group == null ? null : router(group, relayout, mode);
    this.bulkLoads = reader.bulkLoads();
    this.deletes = reader.deletes();
    this.replication = reader.replication();
    this.splitWhen = reader.splitWhen();
    this.scans = reader.scans();
    this.saltTimeoutMillis = reader.saltTimeoutMillis();
    this.saltMaxBytes = reader.saltMaxBytes();
    this.scanMaxBuckets = reader.scanMaxBuckets();
    this.rowBlindFilters = reader.rowBlindFilters();
    this.maxVersions = reader.maxVersions();
    this.timesToLive = reader.timesToLive();
    this.merges = reader.merges();
    this.loadSample = reader.loadSample();
    this.loadHalfLifeSeconds = reader.loadHalfLifeSeconds();
    this.loadKeys = reader.loadKeys();
    this.verify = reader.verify();
    this.splitLoad = reader.splitLoad();
    this.splitLoadMinutes = reader.splitLoadMinutes();
    this.splitLoadMaxRegions = reader.splitLoadMaxRegions();
    this.observedFirst = reader.isObservedFirst();
  }

  private static RowRouter router(EntityGroup group, Relayout relayout, Mode mode) {
    RowRouter rows =
        relayout == null
            ? RowRouter.of(group.layout())
            : RowRouter.of(relayout.change(), relayout.phase() == Relayout.Phase.MOVING);
    return mode == Mode.SALT ? rows.salting() : rows;
  }

  /**
   * Reads the configuration of a table. Never throws for what is configured: mistakes are {@link
   * #problems()}, since an exception would fail a region's open or abort a server. HBase's own
   * tables have no layout and no problems, whatever is configured.
   *
   * @param table the table's descriptor, read first
   * @param conf the server's configuration, read where the descriptor says nothing
   */
  public static TableConfig of(TableDescriptor table, Configuration conf) {
    return new TableConfig(new TableConfigReader(table, conf, false).read());
  }

  /**
   * The same for a client, whose configuration is not the servers': the descriptor is judged as
   * servers judge it, but what only servers act by is not read from {@code conf} at all, and a key
   * there that does not exist is a warning.
   *
   * @param table the table's descriptor, read first
   * @param conf the client's configuration, read for the layout, the group, the longest row, the
   *     most sub-scans and the filters where the descriptor does not say them
   */
  public static TableConfig ofClient(TableDescriptor table, Configuration conf) {
    return new TableConfig(new TableConfigReader(table, conf, true).read());
  }

  /**
   * Whether the rows of the table have a declared layout; false when the configuration is wrong.
   */
  public boolean hasLayout() {
    return group != null;
  }

  /** The layout, limited to {@code rowguard.row.max.length}; null without {@link #hasLayout()}. */
  public RowkeyLayout layout() {
    return group == null ? null : group.layout();
  }

  /** The entity groups; null without {@link #hasLayout()}. */
  public EntityGroup group() {
    return group;
  }

  /** The change of the layout that is going on; null where none is, or something is wrong. */
  public Relayout relayout() {
    return relayout;
  }

  /**
   * Whether the observer sees what is written before any coprocessor that is neither HBase's nor
   * Rowguard's, by the descriptor.
   */
  public boolean isObservedFirst() {
    return observedFirst;
  }

  /**
   * The layouts in which edits may arrive from other clusters, those of the table among them; null
   * where none are named, so that edits are written as they are named.
   */
  public KnownLayouts knownLayouts() {
    return knownLayouts;
  }

  /**
   * Whether edits of one key may arrive from other clusters in another order than they were made
   * in: those under rows of two layouts are in the logs of two regions.
   */
  public boolean takesAnyOrder() {
    return knownLayouts != null;
  }

  /**
   * The router of the table's rows; of its bare keys too, if servers salt them. Null without {@link
   * #hasLayout()}.
   */
  public RowRouter router() {
    return router;
  }

  /** How many steps changes of the layout have taken so far; 0 where the layout never changed. */
  public long layoutVersion() {
    return layoutVersion;
  }

  /**
   * The layout as it is declared, well or not: as {@code toString} of the layout writes it, also
   * where something else of the configuration is wrong, or as it stands where it is no layout. Null
   * when none is.
   */
  public String declaredLayout() {
    return declaredLayout;
  }

  /** The group as it is declared, well or not; null when none is, or no layout. */
  public String declaredGroup() {
    return declaredGroup;
  }

  /** The treatment of rows that do not conform. */
  public Mode mode() {
    return mode;
  }

  /** How closely the files of bulk loads are looked at. */
  public HFileCheck bulkLoads() {
    return bulkLoads;
  }

  /** Whether deletes are held to the layout. */
  public Acceptance deletes() {
    return deletes;
  }

  /** Whether edits that arrive by replication are held to the layout. */
  public Acceptance replication() {
    return replication;
  }

  /** The class name of the policy that decides when to split; null for HBase's own choice. */
  public String splitWhen() {
    return splitWhen;
  }

  /** The treatment, in salt mode, of scans between bounds where no row can lie. */
  public BoundedScans scans() {
    return scans;
  }

  /** The longest wait for what salt mode forwards from one batch. */
  public int saltTimeoutMillis() {
    return saltTimeoutMillis;
  }

  /** The most bytes of heap that a server forwards in salt mode at a time. */
  public long saltMaxBytes() {
    return saltMaxBytes;
  }

  /** The most sub-scans that one scan of SaltedTable may become. */
  public int scanMaxBuckets() {
    return scanMaxBuckets;
  }

  /** The names of the user's own filter classes that need not be translated; unmodifiable. */
  public Set<String> rowBlindFilters() {
    return rowBlindFilters;
  }

  /**
   * The seconds for which families of the table keep cells, by their names, without those that keep
   * some for ever; unmodifiable.
   */
  public SortedMap<byte[], Integer> timesToLive() {
    return timesToLive;
  }

  /** The versions that each family of the table keeps, by its name; unmodifiable. */
  public SortedMap<byte[], Integer> maxVersions() {
    return maxVersions;
  }

  /** The treatment of merges that undo a pre-split. */
  public Merges merges() {
    return merges;
  }

  /** One in so many reads and writes counts in the summary of a region's load; 0 for none. */
  public int loadSample() {
    return loadSample;
  }

  /** After how many seconds an operation counts half in the summary of a region's load. */
  public int loadHalfLifeSeconds() {
    return loadHalfLifeSeconds;
  }

  /** Whether the summary of a region's load names its keys. */
  public LoadKeys loadKeys() {
    return loadKeys;
  }

  /** Which rows that a relayout moves are read back. */
  public Verify verify() {
    return verify;
  }

  /** The operations a second above which a region is cut by its load; 0 for no such cut. */
  public int splitLoad() {
    return splitLoad;
  }

  /** How long a region's load must be above that, in minutes; also the other brakes in time. */
  public int splitLoadMinutes() {
    return splitLoadMinutes;
  }

  /** How many regions of the table a server has where none is cut by its load. */
  public int splitLoadMaxRegions() {
    return splitLoadMaxRegions;
  }

  /** Whether something configured cannot be what was meant. */
  public boolean isWrong() {
    return !problems.isEmpty();
  }

  /** The mistakes, a sentence each with the way out; empty when there is none. */
  public List<String> problems() {
    return problems;
  }

  /**
   * Mistakes that do not concern this table, for the log only: a misspelt key in hbase-site.xml
   * while the table itself declares nothing.
   */
  public List<String> warnings() {
    return warnings;
  }

  /**
   * The one message about a wrong configuration, the same in logs, refusals and the shell.
   *
   * @param consequence a clause that says what follows, such as {@code writes are refused}
   */
  public String problemMessage(String table, String consequence) {
    return "The rowguard configuration of this table is wrong, so "
        + consequence
        + ". table="
        + table
        + ". "
        + String.join(" ", problems)
        + " Mend the table's descriptor (alter) or hbase-site.xml.";
  }
}
