package io.rowguard.tools.relayout;

import io.rowguard.config.Relayout;
import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.RowkeyLayout;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * The changes that the steps of a relayout make to a table's descriptor. Each is one alter, and
 * each makes the version of the layouts larger, by one but for the way back. Pure functions.
 */
final class RelayoutDeclaration {
  private RelayoutDeclaration() {}

  /**
   * The first step: both layouts are known, the old rows take the writes still.
   *
   * @param config of the table as it is, with a layout and in no relayout
   */
  static TableDescriptor prepared(TableDescriptor table, TableConfig config, RowkeyLayout to) {
    long version = config.layoutVersion() + 1;
    TableDescriptorBuilder changed =
        between(table, config.layout(), to, Relayout.Phase.PREPARED, version);
    return versioned(changed, version);
  }

  /** The second step: the new rows take the writes. The generation stays. */
  static TableDescriptor moving(TableDescriptor table, TableConfig config) {
    Relayout relayout = config.relayout();
    TableDescriptorBuilder changed =
        between(
            table,
            relayout.change().from(),
            relayout.change().to(),
            Relayout.Phase.MOVING,
            relayout.generation());
    return versioned(changed, config.layoutVersion() + 1);
  }

  /** The end: only the layout that rows have gone to is left. */
  static TableDescriptor finished(TableDescriptor table, TableConfig config) {
    return only(table, config, config.relayout().change().to());
  }

  /** Giving up while nothing has moved: only the layout that rows would have left is left. */
  static TableDescriptor givenUp(TableDescriptor table, TableConfig config) {
    return only(table, config, config.relayout().change().from());
  }

  /**
   * The way back: the two layouts change places, under a new generation. The version grows by two:
   * a region takes requests of the version after its own, and a client that knows of the way back
   * before the region does would look for rows in the wrong order.
   */
  static TableDescriptor turned(TableDescriptor table, TableConfig config) {
    long version = config.layoutVersion() + 2;
    TableDescriptorBuilder changed =
        between(
            table,
            config.relayout().change().to(),
            config.relayout().change().from(),
            Relayout.Phase.MOVING,
            version);
    return versioned(changed, version);
  }

  private static TableDescriptorBuilder between(
      TableDescriptor table,
      RowkeyLayout from,
      RowkeyLayout to,
      Relayout.Phase phase,
      long generation) {
    return TableDescriptorBuilder.newBuilder(table)
        .setValue(RowguardKey.LAYOUT.key(), to.toString())
        .setValue(RowguardKey.LAYOUT_PREVIOUS.key(), from.toString())
        .setValue(RowguardKey.LAYOUT_PHASE.key(), phase.inDescriptor())
        .setValue(RowguardKey.LAYOUT_GENERATION.key(), Long.toString(generation));
  }

  private static TableDescriptor only(
      TableDescriptor table, TableConfig config, RowkeyLayout layout) {
    TableDescriptorBuilder changed =
        TableDescriptorBuilder.newBuilder(table)
            .setValue(RowguardKey.LAYOUT.key(), layout.toString())
            .removeValue(RowguardKey.LAYOUT_PREVIOUS.key())
            .removeValue(RowguardKey.LAYOUT_PHASE.key())
            .removeValue(RowguardKey.LAYOUT_GENERATION.key());
    return versioned(changed, config.layoutVersion() + 1);
  }

  private static TableDescriptor versioned(TableDescriptorBuilder changed, long version) {
    return changed.setValue(RowguardKey.LAYOUT_VERSION.key(), Long.toString(version)).build();
  }
}
