package io.rowguard.master;

import static io.rowguard.master.RelayoutDescriptors.NEW;
import static io.rowguard.master.RelayoutDescriptors.OLD;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.GroupEndpoint;
import io.rowguard.config.Guards;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.relayout.PolledRegion;
import io.rowguard.relayout.RelayoutResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * The message for every rule, in full, against {@code refusal-messages.txt}: a line with a name,
 * then the message. Operators search their logs for these words.
 */
class ViolationMessagesTest {
  private static final TableName ORDERS = TableName.valueOf("orders");
  private static final String LAYOUT = "{user:word}|{item:digits(4)}";
  private static final String SALTED =
      "{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}";
  private static final Configuration CONF = new Configuration(false);

  @Test
  void messages_ofEveryRule_areAsTheFileSays() throws IOException {
    StringBuilder actual = new StringBuilder();
    messages()
        .forEach(
            (name, violations) -> {
              for (RuleViolation violation : violations) {
                actual.append(name).append('\n').append(violation.message()).append("\n\n");
              }
            });
    assertEquals(expected(), actual.toString());
  }

  @Test
  void messages_always_nameTableAndRuleInOneLine() {
    Set<Rule> missing = EnumSet.allOf(Rule.class);
    for (List<RuleViolation> violations : messages().values()) {
      for (RuleViolation violation : violations) {
        missing.remove(violation.rule());
        assertTrue(violation.message().contains("table=orders"), violation.message());
        assertTrue(violation.message().contains("rule=" + violation.rule().code()));
        assertTrue(violation.message().chars().allMatch(c -> c >= ' '), violation.message());
      }
    }
    assertEquals(Set.of(), missing);
  }

  private static Map<String, List<RuleViolation>> messages() {
    Map<String, List<RuleViolation>> messages = new LinkedHashMap<>();
    TableDescriptor plain = table();
    TableDescriptor grouped = table("rowguard.layout", LAYOUT, "rowguard.group", "user");
    TableDescriptor salted = salted("salt");
    TableDescriptor wrong = table("rowguard.layout", LAYOUT, "rowguard.group", "usr");
    messages.put("create, wrong configuration", DescriptorCheck.created(wrong, CONF, List.of()));
    messages.put(
        "create, illegal pre-split",
        DescriptorCheck.created(grouped, CONF, keys("bob|05", "m+", "{")));
    messages.put(
        "create, unreachable regions",
        DescriptorCheck.created(
            table("rowguard.layout", "{id:hex(8)}"), CONF, keys("0", "1", "10", "8")));
    messages.put("alter, wrong configuration", altered(grouped, wrong));
    messages.put("alter, wrong as before", altered(wrong, wrong));
    messages.put("alter, another layout", altered(plain, grouped));
    messages.put(
        "alter, another layout in salt mode",
        altered(
            salted,
            TableDescriptorBuilder.newBuilder(salted)
                .setValue("rowguard.layout", SALTED.replace("digits(4)", "text"))
                .build()));
    messages.put(
        "alter, other buckets",
        altered(
            salted("reject"),
            TableDescriptorBuilder.newBuilder(salted("reject"))
                .setValue("rowguard.layout", SALTED.replace("16", "64"))
                .build()));
    messages.put(
        "alter, regions stay open",
        List.of(DeclarationChange.notReopened(grouped, salted("reject"), CONF)));
    messages.put(
        "alter, another layout while something is wrong",
        altered(
            table("rowguard.layout", LAYOUT, "rowguard.delete", "maybe"),
            table("rowguard.layout", SALTED, "rowguard.delete", "maybe")));
    messages.put("alter, a step above all rows", stepped(null));
    messages.put("alter, a step below a row", stepped("row 13-alice|6000"));
    messages.put("alter, salt turned on", altered(salted("reject"), salted));
    messages.put(
        "alter, local index",
        altered(
            grouped,
            TableDescriptorBuilder.newBuilder(grouped)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("L#0"))
                .build()));
    messages.put("alter, boundaries of before", altered(plain, salted("warn")));
    LayoutBoundaries boundaries = LayoutBoundaries.of(RowkeyLayout.parse(LAYOUT), "user");
    SplitPointCheck split =
        new SplitPointCheck(ORDERS, boundaries, () -> null, Bytes.toBytes("kim|0500"));
    messages.put("split by force", List.of(split.asChosen()));
    messages.put("split", List.of(split.asAny()));
    messages.put(
        "split, wrong configuration",
        List.of(DescriptorCheck.unsplittable(TableConfig.of(wrong, CONF), ORDERS)));
    messages.put(
        "restore",
        List.of(
            new RestoreCheck(
                    grouped,
                    TableDescriptorBuilder.newBuilder(table("rowguard.mode", "warn"))
                        .removeCoprocessor(Guards.OBSERVER)
                        .setRegionSplitPolicyClassName("org.example.Policy")
                        .build(),
                    CONF)
                .violation("monday")));
    messages.put(
        "restore, while something is wrong",
        List.of(
            new RestoreCheck(
                    table("rowguard.layout", LAYOUT, "rowguard.delete", "maybe"), plain, CONF)
                .violation("monday")));
    messages.put("clone, wrong configuration", DescriptorCheck.cloned(wrong, CONF));
    messages.put(
        "create, guards missing",
        DescriptorCheck.created(
            TableDescriptorBuilder.newBuilder(grouped)
                .removeCoprocessor(Guards.OBSERVER)
                .setRegionSplitPolicyClassName("org.example.Policy")
                .build(),
            CONF,
            List.of()));
    TableDescriptor withEndpoint = withEndpoint(grouped);
    messages.put(
        "create, endpoint without groups",
        DescriptorCheck.created(withEndpoint(table("rowguard.layout", LAYOUT)), CONF, List.of()));
    messages.put("alter, endpoint taken away", altered(withEndpoint, grouped));
    messages.put(
        "merge",
        List.of(
            MergeCheck.of(
                ORDERS,
                LayoutBoundaries.of(RowkeyLayout.parse(SALTED), null),
                new RegionInfo[] {region("08", "08-m"), region("04", "08"), region("08-m", "")},
                keys("04", "08", "08-m"))));
    messages.put(
        "merge, young",
        List.of(
            YoungMergeCheck.of(
                ORDERS,
                new RegionInfo[] {
                  RegionInfoBuilder.newBuilder(region("04", "08")).setRegionId(1).build()
                },
                3_600_001)));
    relayout(messages);
    messages.put("truncate", List.of(DescriptorCheck.truncated(ORDERS, 16)));
    return messages;
  }

  private static void relayout(Map<String, List<RuleViolation>> messages) {
    TableDescriptor old = RelayoutDescriptors.plain(OLD, 0);
    TableDescriptor prepared = RelayoutDescriptors.prepared(OLD, NEW, 1, 1);
    TableDescriptor moving = RelayoutDescriptors.moving(OLD, NEW, 1, 2);
    messages.put("create, in relayout", DescriptorCheck.created(prepared, CONF, List.of()));
    messages.put("alter, too late", altered(moving, RelayoutDescriptors.plain(NEW, 2)));
    messages.put(
        "alter, at once to moving", altered(old, RelayoutDescriptors.moving(OLD, NEW, 1, 1)));
    messages.put(
        "alter, prepared to the end", altered(prepared, RelayoutDescriptors.plain(NEW, 2)));
    messages.put(
        "alter, back as it was", altered(moving, RelayoutDescriptors.moving(NEW, OLD, 1, 4)));
    messages.put(
        "alter, another group",
        altered(moving, RelayoutDescriptors.with(moving, "rowguard.group", null)));
    messages.put(
        "alter, without observer", altered(moving, RelayoutDescriptors.withoutObserver(moving)));
    HRegionLocation region = new HRegionLocation(region("04", "08"), null);
    messages.put(
        "start", unproved(RelayoutStep.START, old, PolledRegion.failed(region, "no answer")));
    messages.put(
        "move",
        unproved(
            RelayoutStep.MOVE,
            prepared,
            PolledRegion.responded(region, RelayoutResponse.of(1, 1, false, 7, List.of())),
            PolledRegion.responded(region, RelayoutResponse.of(0, 0, false, 0, List.of()))));
    messages.put(
        "finish",
        unproved(
            RelayoutStep.FINISH,
            moving,
            PolledRegion.responded(region, RelayoutResponse.of(2, 1, true, 1000, List.of()))));
    messages.put("snapshot", List.of(RestoreCheck.taken(moving, "monday")));
    messages.put("clone, in relayout", List.of(RestoreCheck.cloned(moving, "monday")));
    messages.put(
        "restore, in relayout", List.of(new RestoreCheck(moving, old, CONF).violation("monday")));
    messages.put(
        "restore, a version",
        List.of(
            new RestoreCheck(RelayoutDescriptors.plain(OLD, 2), old, CONF).violation("monday")));
  }

  private static List<RuleViolation> unproved(
      RelayoutStep step, TableDescriptor stored, PolledRegion... polled) {
    return List.of(
        new RelayoutPrecondition(ORDERS, LayoutKeys.of(stored, CONF), request -> List.of(polled))
            .violation(step, false, true, () -> null));
  }

  private static List<RuleViolation> altered(TableDescriptor before, TableDescriptor after) {
    return DescriptorCheck.altered(
        before,
        after,
        CONF,
        () -> keys("04", "bob|05"),
        () -> "file hdfs://a/f",
        steps -> {
          throw new AssertionError("no steps are added");
        });
  }

  private static List<RuleViolation> stepped(String moving) {
    return DescriptorCheck.altered(
        RelayoutDescriptors.plain(OLD, 0),
        RelayoutDescriptors.plain(OLD.replace("%16", "%16,64 from item=5000"), 0),
        CONF,
        () -> keys("04"),
        () -> "file hdfs://a/f",
        steps -> moving);
  }

  private static TableDescriptor salted(String mode) {
    return table("rowguard.layout", SALTED, "rowguard.group", "user", "rowguard.mode", mode);
  }

  private static TableDescriptor table(String... keysAndValues) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(ORDERS)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setRegionSplitPolicyClassName(Guards.POLICY);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      table.setValue(keysAndValues[i], keysAndValues[i + 1]);
    }
    try {
      return table.setCoprocessor(Guards.OBSERVER).build();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TableDescriptor withEndpoint(TableDescriptor table) {
    try {
      return TableDescriptorBuilder.newBuilder(table).setCoprocessor(GroupEndpoint.NAME).build();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Neither a table that never had it, nor one that has and keeps it. */
  @Test
  void endpointOfGroups_whereNothingIsWrong_isNotMentioned() {
    TableDescriptor grouped = table("rowguard.layout", LAYOUT, "rowguard.group", "user");
    TableDescriptor withEndpoint = withEndpoint(grouped);
    assertEquals(List.of(), DescriptorCheck.created(grouped, CONF, List.of()));
    assertEquals(List.of(), DescriptorCheck.created(withEndpoint, CONF, List.of()));
    assertEquals(List.of(), altered(grouped, withEndpoint));
    assertEquals(List.of(), altered(withEndpoint, withEndpoint));
    TableDescriptor noGroups = withEndpoint(table("rowguard.layout", LAYOUT));
    assertEquals(List.of(), altered(noGroups, noGroups), "it was said when it was loaded");
    Configuration site = new Configuration(false);
    site.set("hbase.coprocessor.user.region.classes", GroupEndpoint.NAME);
    assertEquals(
        List.of(),
        DescriptorCheck.created(table("rowguard.layout", LAYOUT), site, List.of()),
        "it is there for other tables");
  }

  /** Nothing was salted before, whatever the mode said. */
  @Test
  void saltMode_whenTheObserverComesLater_isTurnedOn() {
    TableDescriptor salted = salted("salt");
    TableDescriptor unobserved =
        TableDescriptorBuilder.newBuilder(salted).removeCoprocessor(Guards.OBSERVER).build();

    assertEquals(
        List.of(Rule.SALT_TURNED_ON),
        altered(unobserved, salted).stream().map(RuleViolation::rule).toList());
    assertEquals(List.of(), altered(salted, salted));
  }

  private static RegionInfo region(String start, String end) {
    return RegionInfoBuilder.newBuilder(ORDERS)
        .setStartKey(Bytes.toBytes(start))
        .setEndKey(Bytes.toBytes(end))
        .build();
  }

  private static List<byte[]> keys(String... keys) {
    return new ArrayList<>(Arrays.asList(DeclaredTable.bytes(keys)));
  }

  private static String expected() throws IOException {
    try (InputStream in = ViolationMessagesTest.class.getResourceAsStream("refusal-messages.txt")) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
