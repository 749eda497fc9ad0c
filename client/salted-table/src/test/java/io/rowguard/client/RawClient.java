package io.rowguard.client;

import io.rowguard.checker.Operation;
import io.rowguard.checker.RowState;
import io.rowguard.checker.RowState.Column;
import io.rowguard.client.LiveTable.Kind;
import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * A client that knows nothing of SaltedTable: it writes rows as its operator has told it that they
 * are, or, where servers salt, bare keys.
 */
final class RawClient extends LiveClient {
  private final Table exact;
  private final Table patient;

  RawClient(LiveTraffic traffic, long seed, Connection exact, Connection patient)
      throws IOException {
    super(traffic, seed, exact.getRegionLocator(traffic.table().name())::clearRegionLocationCache);
    this.exact = exact.getTable(traffic.table().name());
    this.patient = patient.getTable(traffic.table().name());
  }

  /** One operation. */
  Void next() throws IOException, InterruptedException {
    boolean salts = traffic.table().forwards();
    if (salts && oneIn(4)) {
      String key = key();
      Operation operation = Operation.read("get of a bare key");
      read(
          key,
          operation,
          () -> operation.saw(RowState.of(patient.get(new Get(bytes(key))).getNoVersionMap())));
      return null;
    }
    String key = key(!salts && oneIn(2) ? Kind.ATOMIC : Kind.PLAIN);
    boolean isBare = salts && oneIn(2);
    boolean isAtTheOther = oneIn(10);
    String name = "raw" + (isBare ? " bare" : isAtTheOther ? " other" : "");
    Operation operation = Operation.mutation(name);
    // A delete of a row that is none is taken: rowguard.delete.
    if (!isAtTheOther && oneIn(4)) {
      mutate(
          key,
          operation.clearRow(),
          salts,
          () -> exact.delete(new Delete(row(key, isBare, false))));
    } else {
      Column column = oneIn(2) ? Column.C1 : Column.C2;
      String value = value();
      mutate(
          key,
          operation.put(column, value),
          salts,
          () ->
              exact.put(
                  new Put(row(key, isBare, isAtTheOther))
                      .addColumn(column.family(), column.qualifier(), bytes(value))));
    }
    return null;
  }

  @Override
  boolean goesOn(String key, Operation operation, int tries)
      throws IOException, InterruptedException {
    // A client that insists on the wrong row is refused for ever.
    boolean isHopeless = operation.name().equals("raw other") && tries > 1;
    return !isHopeless && super.goesOn(key, operation, tries);
  }

  private byte[] row(String key, boolean isBare, boolean isAtTheOther) {
    RowkeyLayout layout = isAtTheOther ? traffic.table().other() : traffic.table().home();
    return isBare ? bytes(key) : layout.complete(bytes(key));
  }
}
