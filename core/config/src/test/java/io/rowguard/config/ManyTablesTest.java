package io.rowguard.config;

import static io.rowguard.config.Descriptors.site;
import static io.rowguard.config.Descriptors.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** As many tables as a large cluster has, each with a layout of its own, in one server. */
class ManyTablesTest {
  private static final int TABLES = 10_000;

  /** Every third is wrong; all of them are kept, as a server keeps those of its regions. */
  @Test
  void of_tenThousandTables_eachHasItsOwnAnswer() {
    Configuration site = site("rowguard.row.max.length", "1000");
    List<TableConfig> configs = new ArrayList<>();
    IntStream.range(0, TABLES)
        .parallel()
        .mapToObj(
            i ->
                TableConfig.of(
                    table(
                        "rowguard.layout", layout(i), "rowguard.group", i % 3 == 0 ? "x" : "user"),
                    site))
        .forEachOrdered(configs::add);

    for (int i = 0; i < TABLES; i++) {
      TableConfig config = configs.get(i);
      if (i % 3 == 0) {
        assertTrue(config.isWrong(), "table " + i);
        assertEquals(1, config.problems().size(), "table " + i);
      } else {
        assertFalse(config.isWrong(), "table " + i);
        assertEquals(
            RowkeyLayout.parse(layout(i)).withMaxRowLength(1000), config.layout(), "table " + i);
      }
    }
  }

  private static String layout(int i) {
    int buckets = 2 + i % 99;
    return "{salt:digits(2)=murmur3(user)%" + buckets + "}-{user:word}|table" + i + "|{id:uint64}";
  }
}
