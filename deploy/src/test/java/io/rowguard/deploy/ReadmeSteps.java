package io.rowguard.deploy;

import static io.rowguard.deploy.Trial.BARE_ORDER;
import static io.rowguard.deploy.Trial.BARE_ROW;
import static io.rowguard.deploy.Trial.ORDER;
import static io.rowguard.deploy.Trial.ROW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.deploy.Script.Outcome;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.util.Bytes;

/** What must be so after each command of the README, and what its other blocks must be. */
final class ReadmeSteps {
  private static final Pattern LAYOUT_LINE = Pattern.compile("(\\S.*?\\S)(?: {2,}group (\\w+))?");
  private static final Pattern ROW_LINE = Pattern.compile("(\\S+)(?: {2,}(\\w+) (\\d+))?");

  private final Standalone standalone;
  private final Trial trial;

  private ReadmeSteps(Standalone standalone, Trial trial) {
    this.standalone = standalone;
    this.trial = trial;
  }

  /** The steps by the keys of the commands, in the order of the page. */
  static Map<String, Step> on(Standalone standalone, Trial trial) {
    ReadmeSteps steps = new ReadmeSteps(standalone, trial);
    Map<String, Step> all = new HashMap<>(steps.shell());
    all.putAll(steps.blocks());
    return all;
  }

  private Map<String, Step> shell() {
    return Map.of(
        """
        create 'orders', 'f', {SPLITS => ['04', '08', '12'], METADATA => {\
         'rowguard.layout' => '{salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}',\
         'rowguard.group' => 'user', 'rowguard.mode' => 'reject',\
         'SPLIT_POLICY' => 'io.rowguard.split.LayoutRegionSplitPolicy',\
         'COPROCESSOR$1' => '|io.rowguard.observer.LayoutRegionObserver|1001|'}}""",
        command -> {
          trial.drop("orders");
          trial.execute(command.text());
          assertEquals(List.of("", "04", "08", "12"), trial.startKeys("orders"));
          assertDoctorFindsNothing();
          trial.accepts("orders", ORDER);
          trial.refuses("orders", BARE_ORDER);
        },
        OperationsSteps.WARN_LIVE,
        command -> {
          trial.createPlain("live", BARE_ROW);
          trial.execute(command.text());
          trial.accepts("live", BARE_ROW + "/1");
        },
        OperationsSteps.REJECT_LIVE,
        command -> {
          trial.execute(command.text());
          trial.refuses("live", BARE_ROW + "/2");
          trial.accepts("live", ROW);
        },
        "alter 'orders', {METADATA => {'rowguard.mode' => 'off'}}",
        command -> {
          trial.execute(command.text());
          trial.accepts("orders", BARE_ORDER);
        },
        "describe 'orders'",
        command -> assertTrue(trial.execute(command.text()).contains("COPROCESSOR$1")),
        OperationsSteps.UNSET_OBSERVER,
        command -> {
          trial.createOrders();
          trial.execute(command.text());
          trial.accepts("orders", BARE_ORDER);
        },
        OperationsSteps.UNSET_KEYS,
        command -> {
          trial.createOrders();
          trial.execute(command.text());
          trial.accepts("orders", BARE_ORDER);
        },
        OperationsSteps.UNSET_POLICY,
        command -> {
          trial.execute(command.text());
          assertEquals(
              List.of("COPROCESSOR$1=|io.rowguard.observer.LayoutRegionObserver|1001|"),
              trial.guards("orders"));
        });
  }

  /** A first table by the README, on the HBase that the README starts, has nothing to mend. */
  private void assertDoctorFindsNothing() throws Exception {
    Outcome doctor = standalone.rowguard("rowguard doctor");
    assertEquals(0, doctor.status(), doctor.text());
    assertTrue(doctor.text().contains("  orders  reject  observer, split policy"), doctor.text());
    assertTrue(
        doctor.text().endsWith("All is well (0 problems, 0 warnings, 0 notes).\n"), doctor.text());
  }

  private Map<String, Step> blocks() {
    return Map.of(
        "{salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}",
        block -> assertNotNull(RowkeyLayout.parse(block.key())),
        "{salt:hex(2)=murmur3(tenant)%256}-{tenant:word}/{kind:word}/{id:text}    group tenant",
        ReadmeSteps::assertRowsFit,
        "ERROR: org.apache.hadoop.hbase.DoNotRetryIOException: Rowkey does not fit the layout:"
            + " segment salt is not two",
        block -> {
          trial.createOrders();
          String put = "put 'orders', \"" + BARE_ORDER + "\", 'f:q', 'v'";
          assertPrints(block, trial.failing(put));
        },
        "The rowguard configuration of this table is wrong, so all its writes are refused."
            + " table=w1. rowguard.layout: The",
        block -> {
          trial.drop("w1");
          trial.execute(
              "create 'w1', 'f', {METADATA => {'rowguard.layout' => '{id:hex}',"
                  + " 'rowguard.force' => 'a test', 'SPLIT_POLICY' =>"
                  + " 'io.rowguard.split.LayoutRegionSplitPolicy', 'COPROCESSOR$1' =>"
                  + " '|io.rowguard.observer.LayoutRegionObserver|1001|'}}");
          assertPrints(block, trial.failing("put 'w1', 'any', 'f:q', 'v'"));
          trial.execute("get 'w1', 'any'");
          trial.drop("w1"); // a restart without the jar would not survive it
        });
  }

  /** A message that is folded on the page is one line of what the shell prints. */
  private static void assertPrints(Command block, String printed) {
    String message = block.text().lines().map(String::strip).reduce((a, b) -> a + " " + b).get();
    assertTrue(printed.contains(message), () -> message + " is not in " + printed);
  }

  /** Layouts, each with a row and what is in it: {@code ROW SEGMENT VALUE}. */
  private static void assertRowsFit(Command block) throws IOException {
    String[] pairs = block.text().split("\n\n", -1);
    assertEquals(3, pairs.length);
    for (String pair : pairs) {
      String[] lines = pair.split("\n", -1);
      Matcher first = LAYOUT_LINE.matcher(lines[0]);
      Matcher second = ROW_LINE.matcher(lines[1]);
      assertTrue(first.matches() && second.matches(), pair);
      RowkeyLayout layout = RowkeyLayout.parse(first.group(1));
      byte[] row = Bytes.toBytesBinary(second.group(1));
      assertEquals(Verdict.CONFORMS, layout.check(row), pair);
      if (first.group(2) != null) {
        assertNotNull(layout.segment(first.group(2)), pair);
      }
      if (second.group(2) != null) {
        assertEquals(second.group(3), layout.decode(row).get(second.group(2)).toString(), pair);
      }
    }
  }
}
