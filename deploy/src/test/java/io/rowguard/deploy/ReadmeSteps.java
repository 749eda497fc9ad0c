package io.rowguard.deploy;

import static io.rowguard.deploy.Trial.BARE_ORDER;
import static io.rowguard.deploy.Trial.ORDER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.deploy.Script.ScriptResult;
import io.rowguard.layout.RowkeyLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks after each command of the README, and of its other blocks. */
final class ReadmeSteps {
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
        });
  }

  /** A first table by the README, on the HBase that the README starts, has nothing to mend. */
  private void assertDoctorFindsNothing() throws Exception {
    ScriptResult doctor = standalone.rowguard("rowguard doctor");
    assertEquals(0, doctor.status(), doctor.text());
    assertTrue(doctor.text().contains("  orders  reject  observer, split policy"), doctor.text());
    assertTrue(
        doctor.text().endsWith("All is well (0 problems, 0 warnings, 0 notes).\n"), doctor.text());
  }

  private Map<String, Step> blocks() {
    return Map.of(
        "{salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}",
        block -> assertNotNull(RowkeyLayout.parse(block.key())),
        "ERROR: org.apache.hadoop.hbase.DoNotRetryIOException: Rowkey does not fit the layout:"
            + " segment salt is not two",
        block -> {
          trial.createOrders();
          String put = "put 'orders', \"" + BARE_ORDER + "\", 'f:q', 'v'";
          assertPrints(block, trial.failing(put));
        });
  }

  /** A message that is folded on the page is one line of what the shell prints. */
  private static void assertPrints(Command block, String printed) {
    String message = block.text().lines().map(String::strip).reduce((a, b) -> a + " " + b).get();
    assertTrue(printed.contains(message), () -> message + " is not in " + printed);
  }
}
