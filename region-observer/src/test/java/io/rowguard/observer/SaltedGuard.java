package io.rowguard.observer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HBaseTestingUtility;

/** Tables in salt mode, and what is stored in them. */
public final class SaltedGuard {
  public static final RowkeyLayout LAYOUT =
      RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}");

  private SaltedGuard() {}

  /** A table of four regions, so that most bare rows belong into another one than they come to. */
  static GuardedTable create(HBaseTestingUtility hbase, String... keysAndValues)
      throws IOException {
    return table(hbase).with(keysAndValues).create();
  }

  /** Such a table to be. */
  public static GuardedTable.Builder table(HBaseTestingUtility hbase) {
    return GuardedTable.of(hbase, "rowguard.layout", LAYOUT.toString(), "rowguard.mode", "salt")
        .with("rowguard.salt.timeout.ms", "60000") // so that no slow machine makes one fail
        .withSplits("04-", "08-", "12-");
  }

  /** Bare keys that belong into another region than the last, to which such keys come. */
  public static Stream<String> farKeys(String prefix) {
    return IntStream.range(0, 1000)
        .mapToObj(i -> prefix + i + "|0001")
        .filter(key -> salted(key).compareTo("12-") < 0);
  }

  /** Bare keys that belong into the last region. */
  static Stream<String> nearKeys(String prefix) {
    return IntStream.range(0, 1000)
        .mapToObj(i -> prefix + i + "|0001")
        .filter(key -> salted(key).compareTo("12-") >= 0);
  }

  /** Salted rows that belong into the last region. */
  static Stream<String> nearRows(String prefix) {
    return nearKeys(prefix).map(SaltedGuard::salted);
  }

  /** The row that a bare key is stored under. */
  public static String salted(String bareKey) {
    return new String(LAYOUT.complete(bareKey.getBytes(UTF_8)), UTF_8);
  }
}
