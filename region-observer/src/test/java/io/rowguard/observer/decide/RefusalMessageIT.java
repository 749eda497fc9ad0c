package io.rowguard.observer.decide;

import static io.rowguard.observer.fixture.Refusals.messageOf;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The full message to a client when a row is refused, for several codes. */
@ExtendWith(MiniCluster.class)
class RefusalMessageIT {
  private static final String LAYOUT =
      "{salt:digits(2)=murmur3(user)%16}-{user:word}|{day:digits(4)}";
  private static final String START = "Rowkey does not fit the layout: ";
  private static final String END = "Layout: " + LAYOUT;

  private static GuardedTable orders;

  @BeforeAll
  static void createTable(HBaseTestingUtility hbase) throws IOException {
    orders =
        GuardedTable.of(hbase, "rowguard.layout", LAYOUT, "rowguard.row.max.length", "120")
            .create();
  }

  @AfterAll
  static void dropTable() throws IOException {
    orders.close();
  }

  static List<Arguments> refusals() {
    return List.of(
        arguments(
            "xx-alice|0101",
            "segment salt is not two digits. table=ORDERS row=\"xx-alice|0101\" segment=salt"
                + " offset=0 expected=\"2 digits, 00-15\" found=\"xx\". The row for these values"
                + " would be \"13-alice|0101\". "),
        arguments(
            "alice|0101",
            "segment salt is not two digits. table=ORDERS row=\"alice|0101\" segment=salt"
                + " offset=0 expected=\"2 digits, 00-15\" found=\"al\". The row for these values"
                + " would be \"13-alice|0101\". "),
        arguments(
            "01-alice|0101",
            "segment salt is not what its derivation gives. table=ORDERS row=\"01-alice|0101\""
                + " segment=salt offset=0 expected=\"13\" found=\"01\". The row for these values"
                + " would be \"13-alice|0101\". "),
        arguments(
            "13-alice",
            "no literal \"|\" after segment user. table=ORDERS row=\"13-alice\" segment=user"
                + " offset=8 expected=\"1 or more letters, digits or underscores, then \"|\"\""
                + " found=\"alice\". "),
        arguments(
            "13/alice|0101",
            "no literal \"-\" after segment salt. table=ORDERS row=\"13/alice|0101\""
                + " offset=2 expected=\"-\" found=\"/\". "),
        arguments(
            "13-ali\\xFF\\x00|0101",
            "segment user is not made of letters, digits or underscores. table=ORDERS"
                + " row=\"13-ali\\xFF\\x00|0101\" segment=user offset=6 expected=\"1 or more"
                + " letters, digits or underscores\" found=\"ali\\xFF\\x00\". "),
        arguments(
            "13-|0101",
            "segment user is empty. table=ORDERS row=\"13-|0101\" segment=user offset=3"
                + " expected=\"1 or more letters, digits or underscores\" found=\"\". "),
        arguments(
            "13-alice|01012",
            "1 byte is left over after the last part. table=ORDERS row=\"13-alice|01012\""
                + " offset=13 expected=\"the end of the row\" found=\"2\". "),
        arguments(
            "13-alice|010",
            "the row ends before segment day is complete. table=ORDERS row=\"13-alice|010\""
                + " segment=day offset=12 expected=\"4 digits\" found=\"010\". "),
        arguments(
            "13-" + "a".repeat(113) + "|0101",
            "the row has 121 bytes, more than the 120 allowed. table=ORDERS row=\"13-"
                + "a".repeat(97)
                + "... (121 bytes)\" offset=120 expected=\"at most 120 bytes\" found=\"1\". "));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void refusal_ofAPut_saysWhatIsWrongAndWhatWouldBeRight(String row, String middle) {
    String expected = START + middle.replace("ORDERS", orders.name().getNameAsString()) + END;

    assertEquals(expected, messageOf(() -> orders.table().put(put(row))));
  }
}
