package io.rowguard.tools.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.doctor.DoctorCommand;
import io.rowguard.tools.relayout.RelayoutCommand;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** When a command's options name its cluster; {@code LauncherIT} has the rest. */
class StandaloneSiteTest {
  private final StringWriter said = new StringWriter();
  private final Terminal terminal =
      new Terminal(
          InputStream.nullInputStream(), new PrintWriter(said), new PrintWriter(said), "plain");

  private ParseResult doctor(String arguments) {
    return new CommandLine(new DoctorCommand(terminal)).parseArgs(arguments.split(" ", -1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "orders --site /etc/hbase/conf/hbase-site.xml",
        "--site=hbase-site.xml",
        "-D hbase.zookeeper.quorum=zk1",
        "orders -Dhbase.zookeeper.property.clientPort=2182",
        "-D hbase.rpc.timeout=1 -D zookeeper.znode.parent=/hbase-secure",
        "-D hbase.client.bootstrap.servers=rs1:16020",
        "-D hbase.masters=m1:16000",
      })
  void isNamed_siteOrAddress_itIs(String arguments) {
    assertTrue(StandaloneSite.isNamed(doctor(arguments)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"orders", "--json", "-D hbase.rpc.timeout=1", "-- --site", "--timeout 3 -- -D"})
  void isNamed_anythingElse_itIsNot(String arguments) {
    assertFalse(StandaloneSite.isNamed(doctor(arguments)));
  }

  @Test
  void take_noneRuns_saysNothing() {
    ParseResult parsed = doctor("orders");
    StandaloneSite.takeWhereNoneIsNamed(parsed, null, terminal);
    assertEquals("", said.toString());
    assertNull(parsed.commandSpec().findOption("--site").getValue());
  }

  /** Of {@code relayout} without a step there is no cluster to name. */
  @Test
  void take_commandWithoutACluster_saysNothing() {
    ParseResult parsed = RelayoutCommand.commandLine(terminal).parseArgs();
    StandaloneSite.takeWhereNoneIsNamed(parsed, "/none/hbase-site.xml", terminal);
    assertEquals("", said.toString());
  }
}
