package io.rowguard.tools.doctor;

import io.rowguard.tools.hot.HotRegion;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The facts that one server's pages and reports tell.
 *
 * @param server host, port and start code
 * @param isMaster a master, active or not; else a region server
 * @param jars null when its class path is not known
 * @param settings what concerns Rowguard in its hbase-site.xml; null when not known
 * @param counters the observer's counters; empty when there are none, null when not known
 * @param load of the regions that it serves, by table; empty when it shows none
 * @param coprocessors the simple class names of what it has loaded, as it reports them
 * @param silence why something is not known; null when all is
 */
record ServerFacts(
    String server,
    boolean isMaster,
    PluginJars jars,
    Map<String, String> settings,
    Map<String, Long> counters,
    Map<String, List<HotRegion>> load,
    Set<String> coprocessors,
    String silence) {
  /** The name by which HBase reports the observer. */
  static final String OBSERVER = "LayoutRegionObserver";

  /** The name by which HBase reports the master observer. */
  static final String MASTER_OBSERVER = "LayoutMasterObserver";

  boolean hasLoaded(String coprocessor) {
    return coprocessors.contains(coprocessor);
  }
}
