import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.atlas.repository.audit.HBaseBasedAuditRepository;

/** Rows of audit events. */
final class Atlas {
  private Atlas() {}

  public static void main(String[] args) throws IOException, ReflectiveOperationException {
    System.setOut(System.err);
    // The class reads a configuration as it is loaded, and Atlas 0 refuses an empty one.
    Path directory = Files.createTempDirectory("atlas");
    Path configuration = directory.resolve("atlas-application.properties");
    Files.writeString(configuration, "atlas.rest.address=http://localhost:21000\n");
    System.setProperty("atlas.conf", directory.toString());
    HBaseBasedAuditRepository events = new HBaseBasedAuditRepository();
    Files.delete(configuration);
    Files.delete(directory);
    Method key = key();
    key.setAccessible(true);
    for (int n = 0; n < 12; n++) {
      String entity = String.format("0f5ea3d9-4a5a-4b6e-9d0a-%012d", n);
      if (key.getParameterCount() == 2) {
        Rows.print("atlas", "audit-1", "", (byte[]) key.invoke(events, entity, Rows.DAY + n));
      } else {
        byte[] row = (byte[]) key.invoke(events, entity, Rows.DAY + n, n * 7);
        Rows.print("atlas", "audit", "", dated(row, Rows.DAY + 500));
      }
    }
  }

  /** The method that makes the keys: of three arguments since Atlas 2. */
  private static Method key() throws NoSuchMethodException {
    Class<?> type = HBaseBasedAuditRepository.class;
    if (type.getSuperclass() == Object.class) {
      return type.getDeclaredMethod("getKey", String.class, Long.class);
    }
    return type.getSuperclass().getDeclaredMethod("getKey", String.class, Long.class, int.class);
  }

  /**
   * The row with another time at its end: Atlas 2 writes the present one, and runs must not
   * differ.
   */
  private static byte[] dated(byte[] row, long time) {
    String text = new String(row, UTF_8);
    int end = text.lastIndexOf(':') + 1;
    long written = Long.parseLong(text.substring(end));
    if (Math.abs(System.currentTimeMillis() - written) > 60_000) {
      throw new IllegalStateException("no present time at the end of " + text);
    }
    return (text.substring(0, end) + time).getBytes(UTF_8);
  }
}
