import java.io.ByteArrayOutputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import net.opentsdb.core.RowKey;
import net.opentsdb.core.TSDB;
import net.opentsdb.uid.UniqueId;

/** Rows of data points, with salts and without. */
final class Opentsdb {
  private Opentsdb() {}

  private static void set(String name, int value) throws ReflectiveOperationException {
    Method setter =
        Class.forName("net.opentsdb.core.Const").getDeclaredMethod(name, int.class);
    setter.setAccessible(true);
    setter.invoke(null, value);
  }

  /** A TSDB without HBase: row keys ask it for the width of a metric's uid alone. */
  private static TSDB tsdb(int uid) throws ReflectiveOperationException {
    Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    sun.misc.Unsafe unsafe = (sun.misc.Unsafe) field.get(null);
    TSDB tsdb = (TSDB) unsafe.allocateInstance(TSDB.class);
    Field widthOfAll = TSDB.class.getDeclaredField("METRICS_WIDTH");
    widthOfAll.setAccessible(true);
    widthOfAll.setShort(null, (short) uid);
    Field metrics = TSDB.class.getDeclaredField("metrics");
    Object ids = unsafe.allocateInstance(UniqueId.class);
    Field width = UniqueId.class.getDeclaredField("id_width");
    unsafe.putShort(ids, unsafe.objectFieldOffset(width), (short) uid);
    unsafe.putObject(tsdb, unsafe.objectFieldOffset(metrics), ids);
    return tsdb;
  }

  private static void write(int buckets, int uid, int rows) throws Exception {
    set("setSaltWidth", buckets > 0 ? 1 : 0);
    if (buckets > 0) {
      set("setSaltBuckets", buckets);
    }
    TSDB tsdb = tsdb(uid);
    for (int n = 0; n < rows; n++) {
      ByteArrayOutputStream series = new ByteArrayOutputStream();
      series.write(Rows.number(n * 7L + 1, uid));
      for (int tag = 0; tag <= n % 3; tag++) {
        series.write(Rows.number(tag + 1, 3));
        series.write(Rows.number(n * 31L + tag, 3));
      }
      long time = Rows.DAY / 1000 + 3600L * n + 17;
      byte[] row = RowKey.rowKeyFromTSUID(tsdb, series.toByteArray(), time);
      String numbers = (buckets > 0 ? "buckets=" + buckets + "," : "") + "uid=" + uid;
      Rows.print("opentsdb", buckets > 0 ? "salted" : "plain", numbers, row);
    }
  }

  public static void main(String[] args) throws Exception {
    System.setOut(System.err);
    write(20, 3, 20);
    write(7, 3, 12);
    write(256, 4, 8);
    write(0, 3, 12);
  }
}
