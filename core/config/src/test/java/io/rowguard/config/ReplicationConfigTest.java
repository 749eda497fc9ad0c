package io.rowguard.config;

import static io.rowguard.config.Descriptors.site;
import static io.rowguard.config.Descriptors.table;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.KnownLayouts;
import io.rowguard.layout.RowkeyLayout;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The layouts in which edits arrive from other clusters. */
class ReplicationConfigTest {
  private static final String BARE = "{user:word}|{time:word}";
  private static final String EIGHT = "{salt:digits(2)=murmur3(user)%8}-" + BARE;
  private static final String SIXTEEN = "{salt:digits(2)=murmur3(user)%16}-" + BARE;
  private static final String WIDE = "{salt:hex(6)=md5(user)}-" + BARE;

  private static TableDescriptor arriving(String layouts, String... others) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(
            table("rowguard.layout", EIGHT, "rowguard.replication.layouts", layouts));
    for (int i = 0; i < others.length; i += 2) {
      table.setValue(others[i], others[i + 1]);
    }
    return table.build();
  }

  private static TableDescriptor moving(String layouts, String scope) {
    TableDescriptor table =
        arriving(
            layouts,
            "rowguard.layout.previous",
            SIXTEEN,
            "rowguard.layout.phase",
            "moving",
            "rowguard.layout.generation",
            "1",
            "rowguard.layout.version",
            "2");
    return TableDescriptorBuilder.newBuilder(table)
        .modifyColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(table.getColumnFamilies()[0])
                .setValue("REPLICATION_SCOPE", scope)
                .build())
        .build();
  }

  private static List<String> texts(KnownLayouts known) {
    return known.layouts().stream().map(RowkeyLayout::toString).toList();
  }

  @Test
  void of_severalLayouts_readsAll_ownFirst_andEnforces() {
    TableConfig config =
        TableConfig.of(
            arriving(SIXTEEN + " ; " + EIGHT + ";" + BARE), site("rowguard.replication", "accept"));

    assertEquals(List.of(), config.problems());
    assertEquals(List.of(EIGHT, SIXTEEN, BARE), texts(config.knownLayouts()));
    assertEquals(Acceptance.ENFORCE, config.replication());
    assertTrue(config.takesAnyOrder());
  }

  @Test
  void of_aTableThatNamesNone_takesEditsAsTheyAreNamed() {
    TableConfig config = TableConfig.of(table("rowguard.layout", EIGHT), site());

    assertNull(config.knownLayouts());
    assertFalse(config.takesAnyOrder());
    assertEquals(Acceptance.ACCEPT, config.replication());
  }

  /** A bare key that arrives is salted, so it is one of the forms in which rows arrive. */
  @Test
  void of_saltMode_knowsBareKeys() {
    TableConfig config = TableConfig.of(arriving(SIXTEEN, "rowguard.mode", "salt"), site());

    assertEquals(List.of(), config.problems());
    assertEquals(List.of(EIGHT, SIXTEEN, BARE), texts(config.knownLayouts()));
  }

  /** The longest bare key is the same in all clusters that name the same layouts. */
  @ParameterizedTest
  @CsvSource({"false, 26, 0", "true, 26, 26"})
  void of_longestRow_isWhatAllLayoutsAllow(boolean moves, int own, int previous) {
    TableDescriptor table =
        moves
            ? TableDescriptorBuilder.newBuilder(moving(WIDE + ";" + EIGHT + ";" + SIXTEEN, "1"))
                .setValue("rowguard.row.max.length", "30")
                .build()
            : arriving(WIDE, "rowguard.row.max.length", "30");
    TableConfig config = TableConfig.of(table, site());

    assertEquals(List.of(), config.problems());
    assertEquals(own, config.layout().rowLengthLimit());
    assertEquals(own, config.router().primary().rowLengthLimit());
    if (moves) {
      assertEquals(previous, config.relayout().previousGroup().layout().rowLengthLimit());
      assertEquals(previous, config.relayout().change().from().rowLengthLimit());
    }
    byte[] longest = Bytes.toBytes("a".repeat(20) + "|bb");
    KnownLayouts known = config.knownLayouts();
    RowkeyLayout wide =
        known.layouts().stream().filter(each -> each.toString().equals(WIDE)).findFirst().get();
    assertArrayEquals(longest, known.stripIfRow(wide.complete(longest)));
    assertArrayEquals(longest, known.stripIfRow(config.layout().complete(longest)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "{user # rowguard.replication.layouts: The layout does not parse at column 6",
        BARE + ";  # rowguard.replication.layouts: The layout does not parse at column 1",
        "{other:word} # rowguard.replication.layouts: rows cannot arrive in all of these layouts:"
            + " the bare keys differ",
        BARE
            + ";{salt:hex(2)=md5(user)}{user:word}|{time:word}"
            + " # rowguard.replication.layouts: rows cannot arrive in all of these layouts: a row"
            + " can be read by both"
      })
  void problems_ofLayoutsThatDoNotGoTogether_nameThem(String layouts, String beginning) {
    List<String> problems = TableConfig.of(arriving(layouts), site()).problems();

    assertEquals(1, problems.size(), problems::toString);
    assertTrue(problems.get(0).startsWith(beginning), problems::toString);
  }

  @ParameterizedTest
  @CsvSource({"warn", "off"})
  void problems_modeThatStoresWhatNoLayoutReads_saysWhichMayBe(String mode) {
    assertEquals(
        List.of(
            "rowguard.mode is \""
                + mode
                + "\", but while rowguard.replication.layouts is set it must be reject or salt,"
                + " since each edit that arrives has to go to its own row."),
        TableConfig.of(arriving(SIXTEEN, "rowguard.mode", mode), site()).problems());
  }

  /** What the message of a relayout proposes can be pasted. */
  @Test
  void text_ofAnyLayouts_isReadAsThose() {
    String layout = " {a:word};{b:word} ";
    List<String> problems = new ArrayList<>();
    TableDescriptor table =
        arriving(
            ReplicationReader.text(RowkeyLayout.parse(layout), RowkeyLayout.parse("-" + layout)));

    List<RowkeyLayout> named = new ReplicationReader(table, problems).named(100);

    assertEquals(List.of(), problems);
    assertEquals(
        List.of(layout, "-" + layout), named.stream().map(RowkeyLayout::toString).toList());
  }

  @Test
  void problems_acceptance_saysThatItMustBeEnforced() {
    assertEquals(
        List.of(
            "rowguard.replication is \"accept\", but while rowguard.replication.layouts is set it"
                + " must be enforce: a row that none of these layouts reads would be stored where"
                + " no client looks."),
        TableConfig.of(arriving(SIXTEEN, "rowguard.replication", "accept"), site()).problems());
  }

  @Test
  void problems_withoutALayout_saySo() {
    assertEquals(
        List.of(
            "rowguard.replication.layouts is set, but the table has no rowguard.layout that rows of"
                + " those layouts could be written in."),
        TableConfig.of(table("rowguard.replication.layouts", BARE), site()).problems());
  }

  @Test
  void problems_scopesOfATableInRelayout_areToldUnlessBothLayoutsAreNamed() {
    String must =
        "The column family f has REPLICATION_SCOPE = \"1\", but while rowguard.layout.previous is"
            + " set rowguard.replication.layouts must name both layouts, here and in the clusters"
            + " that it replicates with: "
            + SIXTEEN
            + " ; "
            + EIGHT
            + ".";

    assertEquals(List.of(), TableConfig.of(moving(SIXTEEN + ";" + EIGHT, "1"), site()).problems());
    assertEquals(List.of(), TableConfig.of(moving(SIXTEEN, "0"), site()).problems());
    assertEquals(List.of(must), TableConfig.of(moving(SIXTEEN, "1"), site()).problems());
    assertEquals(List.of(must), TableConfig.of(moving(EIGHT, "1"), site()).problems());
    assertEquals(
        List.of(
            "The column family f has REPLICATION_SCOPE = \"some\", but while"
                + " rowguard.layout.previous is set it must be 0 or 1."),
        TableConfig.of(moving(SIXTEEN + ";" + EIGHT, "some"), site()).problems());
  }
}
