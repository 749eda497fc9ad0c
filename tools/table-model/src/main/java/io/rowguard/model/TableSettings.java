package io.rowguard.model;

/**
 * The settings that the model of a table depends on. Immutable.
 *
 * @param splits when regions are split
 * @param where where they are split
 * @param prefixLength of {@link SplitWhere#PREFIX}, bytes; 0 elsewhere
 * @param delimiter of {@link SplitWhere#DELIMITER}; empty elsewhere
 * @param compactions which files are compacted
 * @param flushSize {@code hbase.hregion.memstore.flush.size}: heap bytes of a region's memstore
 * @param cells what cells weigh
 * @param servers how many region servers there are
 * @param byLoad when regions are split by their load; null for never
 */
public record TableSettings(
    SplitRules splits,
    SplitWhere where,
    int prefixLength,
    String delimiter,
    CompactionRules compactions,
    long flushSize,
    CellSizes cells,
    int servers,
    SplitByLoad byLoad) {
  private static final String MAX_FILESIZE = "hbase.hregion.max.filesize";
  private static final String FLUSH_SIZE = "hbase.hregion.memstore.flush.size";
  private static final String INITIAL_SIZE = "hbase.increasing.policy.initial.size";
  private static final String SPLIT_POLICY = "hbase.regionserver.region.split.policy";
  private static final String ROWGUARD_WHEN = "rowguard.split.when";
  private static final String COMPACTION_POLICY =
      "hbase.hstore.defaultengine.compactionpolicy.class";
  private static final String OLD_COMPACTION_MIN = "hbase.hstore.compactionThreshold";

  // HBase's defaults, as hbase-default.xml has them: there the least size of a compaction is the
  // default flush size, whatever the flush size is.
  private static final long DEFAULT_MAX_FILESIZE = 10L << 30;
  private static final long DEFAULT_FLUSH_SIZE = 128L << 20;
  private static final double DEFAULT_JITTER = 0.25;
  private static final int DEFAULT_REGION_LIMIT = 1_000;

  /** The values that the user gives beside the file; null for none. */
  public record Wishes(
      SplitWhen when,
      SplitWhere where,
      Integer prefixLength,
      String delimiter,
      Long maxFileSize,
      Long flushSize,
      int blockSize,
      int servers,
      int valueBytes) {}

  /**
   * The settings of a table on a cluster.
   *
   * @param site the cluster's hbase-site.xml
   * @throws SimulationException when a property cannot be used
   */
  public static TableSettings of(HBaseSite site, Wishes wishes) {
    Policy policy = policy(site);
    SplitWhere where = wishes.where == null ? policy.where : wishes.where;
    requireForWhere(where, wishes);
    long flushSize =
        wishes.flushSize != null
            ? wishes.flushSize
            : site.number(FLUSH_SIZE, DEFAULT_FLUSH_SIZE, 1, Long.MAX_VALUE / 2);
    long maxFileSize =
        wishes.maxFileSize != null
            ? wishes.maxFileSize
            : site.number(MAX_FILESIZE, DEFAULT_MAX_FILESIZE, 1, Long.MAX_VALUE);
    long initialSize = site.number(INITIAL_SIZE, -1, Long.MIN_VALUE, Long.MAX_VALUE);
    SplitRules splits =
        new SplitRules(
            wishes.when == null ? policy.when : wishes.when,
            maxFileSize,
            site.fraction("hbase.hregion.max.filesize.jitter", DEFAULT_JITTER, 0, 1),
            initialSize > 0 ? initialSize : 2 * flushSize,
            (int)
                site.number(
                    "hbase.regionserver.regionSplitLimit",
                    DEFAULT_REGION_LIMIT,
                    1,
                    Integer.MAX_VALUE));
    return new TableSettings(
        splits,
        where,
        wishes.prefixLength == null ? 0 : wishes.prefixLength,
        wishes.delimiter == null ? "" : wishes.delimiter,
        compactions(site),
        flushSize,
        new CellSizes(wishes.valueBytes, wishes.blockSize),
        wishes.servers,
        /* byLoad= */ null);
  }

  /** The same with splits by load; null for none. */
  public TableSettings with(SplitByLoad splits) {
    return new TableSettings(
        this.splits,
        where,
        prefixLength,
        delimiter,
        compactions,
        flushSize,
        cells,
        servers,
        splits);
  }

  private static CompactionRules compactions(HBaseSite site) {
    String prefix = "hbase.hstore.compaction.";
    long least = site.number(OLD_COMPACTION_MIN, 3, 0, Integer.MAX_VALUE);
    String policy = site.simpleClassName(COMPACTION_POLICY);
    boolean isRatio = "RatioBasedCompactionPolicy".equals(policy);
    if (policy != null && !isRatio && !policy.equals("ExploringCompactionPolicy")) {
      throw site.wrong(
          COMPACTION_POLICY,
          policy,
          "ExploringCompactionPolicy or RatioBasedCompactionPolicy, which the model has",
          null);
    }
    return new CompactionRules(
        (int) Math.max(2, site.number(prefix + "min", least, 0, Integer.MAX_VALUE)),
        (int) site.number(prefix + "max", 10, 1, Integer.MAX_VALUE),
        (float) site.fraction(prefix + "ratio", 1.2f, 0, 1e6),
        site.number(prefix + "min.size", DEFAULT_FLUSH_SIZE, 0, Long.MAX_VALUE),
        site.number(prefix + "max.size", Long.MAX_VALUE, 0, Long.MAX_VALUE),
        (int) site.number("hbase.hstore.blockingStoreFiles", 16, 1, Integer.MAX_VALUE),
        !isRatio);
  }

  /** A split policy's class, taken apart. */
  private record Policy(SplitWhen when, SplitWhere where) {}

  private static Policy policy(HBaseSite site) {
    String name = site.simpleClassName(SPLIT_POLICY);
    if (name == null) {
      return new Policy(SplitWhen.STEPPING, SplitWhere.ROWGUARD);
    }
    return switch (name) {
      case "KeyPrefixRegionSplitPolicy" -> new Policy(SplitWhen.INCREASING, SplitWhere.PREFIX);
      case "DelimitedKeyPrefixRegionSplitPolicy" ->
          new Policy(SplitWhen.INCREASING, SplitWhere.DELIMITER);
      case "LayoutRegionSplitPolicy" -> new Policy(when(site, ROWGUARD_WHEN), SplitWhere.ROWGUARD);
      default -> new Policy(when(site, SPLIT_POLICY), SplitWhere.MIDDLE);
    };
  }

  private static SplitWhen when(HBaseSite site, String property) {
    String name = site.simpleClassName(property);
    if (name == null) {
      return SplitWhen.STEPPING;
    }
    return switch (name) {
      case "ConstantSizeRegionSplitPolicy" -> SplitWhen.CONSTANT;
      case "IncreasingToUpperBoundRegionSplitPolicy" -> SplitWhen.INCREASING;
      case "SteppingSplitPolicy" -> SplitWhen.STEPPING;
      case "DisabledRegionSplitPolicy" -> SplitWhen.DISABLED;
      default ->
          throw site.wrong(
              property,
              site.text(property),
              "a policy that the model has: ConstantSize, IncreasingToUpperBound, Stepping,"
                  + " Disabled, KeyPrefix, DelimitedKeyPrefix, Layout; or say --when and --where",
              null);
    };
  }

  private static void requireForWhere(SplitWhere where, Wishes wishes) {
    if ((where == SplitWhere.PREFIX) != (wishes.prefixLength != null)) {
      throw new SimulationException(
          "--where prefix (KeyPrefixRegionSplitPolicy) and --prefix-length N go together; HBase"
              + " reads the length from the table descriptor.");
    }
    if ((where == SplitWhere.DELIMITER) != (wishes.delimiter != null)) {
      throw new SimulationException(
          "--where delimiter (DelimitedKeyPrefixRegionSplitPolicy) and --delimiter TEXT go"
              + " together; HBase reads it from the table descriptor.");
    }
  }
}
