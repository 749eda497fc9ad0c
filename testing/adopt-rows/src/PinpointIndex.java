import com.navercorp.pinpoint.collector.config.ScatterConfiguration;
import com.navercorp.pinpoint.collector.dao.hbase.HbaseApplicationTraceIndexDao;
import com.navercorp.pinpoint.common.hbase.HbaseOperations2;
import com.navercorp.pinpoint.common.hbase.TableNameProvider;
import com.navercorp.pinpoint.common.hbase.config.DistributorConfiguration;
import com.navercorp.pinpoint.common.server.bo.SpanBo;
import com.navercorp.pinpoint.common.server.util.AcceptedTimeService;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Rows of the index of traces, by both settings of collector.scatter.serverside-scan. */
final class PinpointIndex {
  private PinpointIndex() {}

  public static void main(String[] args) throws ReflectiveOperationException {
    System.setOut(System.err);
    print("index-2", "v1");
    print("index-3", "v2");
  }

  private static void print(String kind, String scan) throws ReflectiveOperationException {
    ScatterConfiguration configuration = new ScatterConfiguration();
    Field setting = ScatterConfiguration.class.getDeclaredField("serverSideScan");
    setting.setAccessible(true);
    setting.set(configuration, scan);
    HbaseApplicationTraceIndexDao index =
        new HbaseApplicationTraceIndexDao(
            unused(HbaseOperations2.class),
            unused(TableNameProvider.class),
            new DistributorConfiguration().applicationTraceIndexDistributor(),
            unused(AcceptedTimeService.class),
            configuration);
    Method key =
        HbaseApplicationTraceIndexDao.class.getDeclaredMethod(
            "createRowKey", SpanBo.class, long.class);
    key.setAccessible(true);
    for (int n = 0; n < 24; n++) {
      SpanBo span = new SpanBo();
      span.setApplicationId("shop-" + n * 7919);
      span.setElapsed(n * n * 40);
      byte[] row = (byte[]) key.invoke(index, span, Rows.DAY + n * 61L);
      Rows.print("pinpoint", kind, "buckets=32", row);
    }
  }

  /** A part that makes no key. */
  private static <T> T unused(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(method.toString());
            }));
  }
}
