package io.rowguard.client;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Answers of tables as texts, which are equal where the answers are. */
final class AnswerText {
  private int rowsScanned;

  /** All that a scan gives. */
  String scan(Table table, Scan scan) throws IOException {
    StringBuilder text = new StringBuilder();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        text.append(of(result)).append('\n');
        rowsScanned++;
      }
    }
    return text.toString();
  }

  /** How many results all scans gave. */
  int rowsScanned() {
    return rowsScanned;
  }

  /** Of the answers to the actions of a batch, or to some. */
  static String of(Object... answers) {
    StringBuilder text = new StringBuilder();
    for (Object answer : answers) {
      if (answer instanceof CheckAndMutateResult check) {
        text.append(check.isSuccess()).append(' ').append(of(check.getResult()));
      } else {
        text.append(of((Result) answer));
      }
      text.append('\n');
    }
    return text.toString();
  }

  /** Cells of increments and appends have the time of a server, which differs. */
  private static String of(Result result) {
    String text = Tables.show(result);
    if (result != null && !result.isEmpty()) {
      for (Cell cell : result.rawCells()) {
        if (cell.getTimestamp() > 1L << 40) {
          text = text.replace("@" + cell.getTimestamp() + " ", "@now ");
        }
      }
    }
    return text;
  }
}
