package io.rowguard.tools.simulate;

import io.rowguard.model.CellSizes;
import io.rowguard.model.HBaseSite;
import io.rowguard.model.SplitByLoad;
import io.rowguard.model.SplitWhen;
import io.rowguard.model.SplitWhere;
import io.rowguard.model.TableSettings;
import io.rowguard.tools.cli.ByteSize;
import io.rowguard.tools.cli.CommandFailure;
import java.nio.file.Path;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The options of {@code --model full} beside the keys and the layout. */
final class FullModelOptions {
  private static final int MOST_SERVERS = 1_000;
  private static final int DEFAULT_SERVERS = 3;
  private static final int MOST_LOAD = 1_000_000_000;
  private static final int DEFAULT_RATE = 1_000;
  private static final int SMALLEST_BLOCK = 64;
  // A store file of one row has 6 kB.
  private static final long SMALLEST_SIZE = 16_384;

  @Option(
      names = "--hbase-site",
      paramLabel = "FILE",
      description = "Sizes, compactions and the split policy of this hbase-site.xml.")
  private Path site;

  @Option(
      names = "--servers",
      paramLabel = "N",
      description = "How many region servers there are; default: 3.")
  private Integer servers;

  @Option(
      names = "--when",
      paramLabel = "POLICY",
      description = "When to split: constant, increasing, stepping, disabled; default: stepping.")
  private SplitWhen when;

  @Option(
      names = "--where",
      paramLabel = "POLICY",
      description =
          "Where: rowguard, middle (HBase's own), prefix, delimiter (HBase's prefix policies);"
              + " default: rowguard.")
  private SplitWhere where;

  @Option(names = "--prefix-length", paramLabel = "N", description = "Of --where prefix, in bytes.")
  private Integer prefixLength;

  @Option(names = "--delimiter", paramLabel = "TEXT", description = "Of --where delimiter.")
  private String delimiter;

  @Option(
      names = "--max-file-size",
      paramLabel = "SIZE",
      converter = ByteSize.class,
      description = "hbase.hregion.max.filesize; default: 10g.")
  private Long maxFileSize;

  @Option(
      names = "--flush-size",
      paramLabel = "SIZE",
      converter = ByteSize.class,
      description = "hbase.hregion.memstore.flush.size; default: 128m.")
  private Long flushSize;

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      converter = ByteSize.class,
      description = "BLOCKSIZE of the column family; default: 64k.")
  private Long blockSize;

  @Option(
      names = "--split-load",
      paramLabel = "N",
      description = "rowguard.split.load: split a region by its load above so many writes/s.")
  private Integer splitLoad;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "With --split-load: how many keys are written a second; default: 1000.")
  private Integer rate;

  FullModelOptions() {}

  /** Refuses options that the simple model would not heed. */
  void refuseAny() {
    boolean isAny =
        Stream.of(
                site,
                servers,
                when,
                where,
                prefixLength,
                delimiter,
                maxFileSize,
                flushSize,
                blockSize,
                splitLoad,
                rate)
            .anyMatch(option -> option != null);
    if (isAny) {
      throw new CommandFailure(
          "Servers, sizes and split policies are matters of the full model: add --model full.");
    }
  }

  /**
   * The settings.
   *
   * @param valueBytes how many bytes each row has beside its key
   */
  TableSettings settings(int valueBytes) {
    requireRange("--servers", servers, 1, MOST_SERVERS);
    requireRange("--prefix-length", prefixLength, 1, Short.MAX_VALUE);
    requireSize("--max-file-size", maxFileSize);
    requireSize("--flush-size", flushSize);
    if (blockSize != null && (blockSize < SMALLEST_BLOCK || blockSize > Integer.MAX_VALUE)) {
      throw new CommandFailure("--block-size must be 64 bytes to 2 GB. given=" + blockSize);
    }
    if (delimiter != null && delimiter.isEmpty()) {
      throw new CommandFailure("--delimiter must be one or more characters.");
    }
    requireRange("--split-load", splitLoad, 1, MOST_LOAD);
    requireRange("--rate", rate, 1, MOST_LOAD);
    if (rate != null && splitLoad == null) {
      throw new CommandFailure("--rate is the load of --split-load; give that too.");
    }
    return base(valueBytes)
        .with(
            splitLoad == null
                ? null
                : new SplitByLoad(splitLoad, rate == null ? DEFAULT_RATE : rate));
  }

  private TableSettings base(int valueBytes) {
    return TableSettings.of(
        site == null ? HBaseSite.empty() : HBaseSite.read(site),
        new TableSettings.Wishes(
            when,
            where,
            prefixLength,
            delimiter,
            maxFileSize,
            flushSize,
            blockSize == null ? CellSizes.DEFAULT_BLOCK_SIZE : blockSize.intValue(),
            servers == null ? DEFAULT_SERVERS : servers,
            valueBytes));
  }

  private static void requireSize(String option, Long value) {
    if (value != null && value < SMALLEST_SIZE) {
      throw new CommandFailure(
          option + " must be 16k or more: a store file of one row has 6 kB. given=" + value);
    }
  }

  private static void requireRange(String option, Integer value, int least, int most) {
    if (value != null && (value < least || value > most)) {
      throw new CommandFailure(option + " must be " + least + " to " + most + ". given=" + value);
    }
  }
}
