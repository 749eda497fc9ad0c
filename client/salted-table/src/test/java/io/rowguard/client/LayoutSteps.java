package io.rowguard.client;

import io.rowguard.config.TableConfig;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * The steps of a change of a table's layout. Each is an alter, and over when all regions say that
 * they have it. For one thread.
 */
final class LayoutSteps {
  private static final String LAYOUT = "rowguard.layout";
  private static final String PREVIOUS = "rowguard.layout.previous";
  private static final String PHASE = "rowguard.layout.phase";
  private static final String GENERATION = "rowguard.layout.generation";
  private static final String VERSION = "rowguard.layout.version";

  private final Connection connection;
  private final TableName table;
  private final Admin admin;

  LayoutSteps(Connection connection, TableName table) throws IOException {
    this.connection = connection;
    this.table = table;
    this.admin = connection.getAdmin();
  }

  private TableDescriptor descriptor() throws IOException {
    return admin.getDescriptor(table);
  }

  TableConfig config() throws IOException {
    TableConfig config = TableConfig.of(descriptor(), connection.getConfiguration());
    if (config.isWrong()) {
      throw new AssertionError(config.problemMessage("" + table, "relayout"));
    }
    return config;
  }

  /** Both layouts become known; the old rows stay home. */
  void prepare(RowkeyLayout to) throws Exception {
    TableConfig config = config();
    long version = config.layoutVersion() + 1;
    alter(
        TableDescriptorBuilder.newBuilder(descriptor())
            .setValue(LAYOUT, to.toString())
            .setValue(PREVIOUS, config.layout().toString())
            .setValue(PHASE, "prepared")
            .setValue(GENERATION, "" + version),
        version);
  }

  /** From now on the new rows are home. */
  void move() throws Exception {
    alter(
        TableDescriptorBuilder.newBuilder(descriptor()).setValue(PHASE, "moving"),
        config().layoutVersion() + 1);
  }

  /** Ends it while the old rows are home. */
  void giveUp() throws Exception {
    TableConfig config = config();
    alter(
        withoutRelayout().setValue(LAYOUT, config.relayout().change().from().toString()),
        config.layoutVersion() + 1);
  }

  /** The two layouts exchange their roles. */
  void back() throws Exception {
    TableConfig config = config();
    long version = config.layoutVersion() + 2;
    alter(
        TableDescriptorBuilder.newBuilder(descriptor())
            .setValue(LAYOUT, config.relayout().change().from().toString())
            .setValue(PREVIOUS, config.relayout().change().to().toString())
            .setValue(GENERATION, "" + version),
        version);
  }

  /** Whether each region says that nothing is in the way of a finish. */
  boolean isNothingLeft() throws IOException {
    RelayoutRequest count = RelayoutRequest.count(config().relayout().generation());
    return isTrueOfRegions(
        count,
        response ->
            response.generation() == count.generation()
                && response.isMoving()
                && response.misplacedRows() == 0
                && response.items().isEmpty());
  }

  /** Ends it, when {@link #isNothingLeft}. */
  void finish() throws Exception {
    alter(withoutRelayout(), config().layoutVersion() + 1);
  }

  private TableDescriptorBuilder withoutRelayout() throws IOException {
    return TableDescriptorBuilder.newBuilder(descriptor())
        .removeValue(PREVIOUS)
        .removeValue(PHASE)
        .removeValue(GENERATION);
  }

  private void alter(TableDescriptorBuilder changed, long version) throws Exception {
    admin
        .modifyTableAsync(changed.setValue(VERSION, "" + version).build())
        .get(3, TimeUnit.MINUTES);
    Eventually.isTrue(
        "version " + version + " in all regions",
        () -> isTrueOfRegions(RelayoutRequest.state(), response -> response.version() == version));
  }

  /**
   * Whether something is true of all regions that the table has, before and after they were asked:
   * once a region is split, one daughter only has the row by which it is asked.
   */
  private boolean isTrueOfRegions(RelayoutRequest request, Predicate<RelayoutResponse> said)
      throws IOException {
    List<RegionInfo> regions = admin.getRegions(table);
    try (Table raw = connection.getTable(table)) {
      for (RegionInfo region : regions) {
        byte[] start = region.getStartKey();
        byte[] row = start.length == 0 ? new byte[1] : start;
        if (!said.test(RelayoutResponse.of(raw.get(request.toGet(row))))) {
          return false;
        }
      }
    }
    return admin.getRegions(table).equals(regions);
  }
}
