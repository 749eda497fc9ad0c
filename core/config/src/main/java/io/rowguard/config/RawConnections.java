package io.rowguard.config;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Has a configuration open HBase's own connections, which see rows as they are stored, where it
 * names those of Rowguard, which show bare keys: for whatever works on salted rows itself, on a
 * server or in a tool.
 */
public final class RawConnections {
  /** HBase's property with the class that {@code ConnectionFactory.createConnection} makes. */
  public static final String CONNECTION = "hbase.client.connection.impl";

  /** The same for {@code ConnectionFactory.createAsyncConnection}. */
  public static final String ASYNC_CONNECTION = "hbase.client.async.connection.impl";

  /** Both properties. */
  public static final List<String> KEYS =
      Collections.unmodifiableList(Arrays.asList(CONNECTION, ASYNC_CONNECTION));

  private static final String PACKAGE = "org.apache.hadoop.hbase.client.";
  private static final String OF_HBASE_2 = PACKAGE + "ConnectionImplementation";
  private static final String OF_HBASE_3 = PACKAGE + "ConnectionOverAsyncConnection";
  private static final String OURS = "io.rowguard.";

  private RawConnections() {}

  /**
   * The configuration for connections to rows as they are stored.
   *
   * @return the given one where it names no connection of Rowguard; else a copy that names HBase's
   *     own, so that it says so too when it is merged into another, as that of a job is
   */
  public static Configuration of(Configuration conf) {
    if (!isOurs(conf, CONNECTION) && !isOurs(conf, ASYNC_CONNECTION)) {
      return conf;
    }
    Configuration raw = new Configuration(conf);
    set(raw);
    return raw;
  }

  /** As {@link #of}, but changes the given configuration. */
  public static void set(Configuration conf) {
    if (isOurs(conf, CONNECTION)) {
      conf.set(CONNECTION, ownName());
    }
    if (isOurs(conf, ASYNC_CONNECTION)) {
      conf.set(ASYNC_CONNECTION, PACKAGE + "AsyncConnectionImpl");
    }
  }

  /** HBase's own value of {@link #CONNECTION}, in the release that runs. */
  public static String ownName() {
    return isThere(OF_HBASE_2) ? OF_HBASE_2 : OF_HBASE_3;
  }

  private static boolean isOurs(Configuration conf, String key) {
    String name = conf.get(key);
    return name != null && name.trim().startsWith(OURS);
  }

  private static boolean isThere(String name) {
    try {
      Class.forName(name, false, RawConnections.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
