package io.rowguard.master;

import java.io.IOException;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** The steps of a relayout as an operator's tool takes them: one alter each. */
final class RelayoutAlters {
  private static final String LAYOUT = "rowguard.layout";
  private static final String PREVIOUS = "rowguard.layout.previous";
  private static final String PHASE = "rowguard.layout.phase";
  private static final String GENERATION = "rowguard.layout.generation";
  private static final String VERSION = "rowguard.layout.version";

  private RelayoutAlters() {}

  static TableDescriptor started(TableDescriptor table, String to) {
    String version = number(version(table) + 1);
    return RelayoutDescriptors.with(
        table,
        LAYOUT,
        to,
        PREVIOUS,
        table.getValue(LAYOUT),
        PHASE,
        "prepared",
        GENERATION,
        version,
        VERSION,
        version);
  }

  static TableDescriptor moved(TableDescriptor table) {
    return RelayoutDescriptors.with(table, PHASE, "moving", VERSION, number(version(table) + 1));
  }

  static TableDescriptor finished(TableDescriptor table) {
    return ended(table, table.getValue(LAYOUT));
  }

  static TableDescriptor givenUp(TableDescriptor table) {
    return ended(table, table.getValue(PREVIOUS));
  }

  static TableDescriptor back(TableDescriptor table) {
    String version = number(version(table) + 2);
    return RelayoutDescriptors.with(
        table,
        LAYOUT,
        table.getValue(PREVIOUS),
        PREVIOUS,
        table.getValue(LAYOUT),
        GENERATION,
        version,
        VERSION,
        version);
  }

  static void start(DeclaredTable table, String to) throws IOException {
    table.alterTo(started(table.stored(), to));
  }

  static void move(DeclaredTable table) throws IOException {
    table.alterTo(moved(table.stored()));
  }

  static void finish(DeclaredTable table) throws IOException {
    table.alterTo(finished(table.stored()));
  }

  static void giveUp(DeclaredTable table) throws IOException {
    table.alterTo(givenUp(table.stored()));
  }

  static void back(DeclaredTable table) throws IOException {
    table.alterTo(back(table.stored()));
  }

  static long version(TableDescriptor table) {
    String version = table.getValue(VERSION);
    return version == null ? 0 : Long.parseLong(version);
  }

  private static TableDescriptor ended(TableDescriptor table, String layout) {
    return RelayoutDescriptors.with(
        table,
        LAYOUT,
        layout,
        PREVIOUS,
        null,
        PHASE,
        null,
        GENERATION,
        null,
        VERSION,
        number(version(table) + 1));
  }

  private static String number(long number) {
    return Long.toString(number);
  }
}
