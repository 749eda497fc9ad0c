import org.apache.hadoop.yarn.server.timelineservice.storage.application.ApplicationRowKey;
import org.apache.hadoop.yarn.server.timelineservice.storage.entity.EntityRowKey;
import org.apache.hadoop.yarn.server.timelineservice.storage.flow.FlowRunRowKey;

/** Rows of entities, applications and runs of flows. */
final class YarnTimeline {
  private YarnTimeline() {}

  public static void main(String[] args) {
    System.setOut(System.err);
    for (int n = 0; n < 10; n++) {
      String user = "user " + n;
      String cluster = "yarn!c";
      String flow = "flow_" + n % 2;
      long run = Rows.DAY + n;
      String app = "application_" + (Rows.DAY - 100_000) + "_" + String.format("%04d", n * 1501);
      String container = "container_" + n;
      byte[] entity =
          new EntityRowKey(
                  cluster, user, flow, run, app, "YARN_CONTAINER", n * 5_000_000_000L, container)
              .getRowKey();
      Rows.print("yarn-timeline", "entity", "", entity);
      byte[] application = new ApplicationRowKey(cluster, user, flow, run, app).getRowKey();
      Rows.print("yarn-timeline", "application", "", application);
      byte[] flowRun = new FlowRunRowKey(cluster, user, flow, run).getRowKey();
      Rows.print("yarn-timeline", "flowrun", "", flowRun);
    }
  }
}
