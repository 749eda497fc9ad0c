package io.rowguard.tools.hot;

import io.rowguard.layout.EntityGroup;
import java.util.List;

/**
 * The load of a table as all servers show it.
 *
 * @param group its entity groups; null where the table declares no layout, or a wrong one
 * @param regions in no order
 * @param silent what was in the way where a server did not answer
 */
public record HotTable(
    String table, EntityGroup group, List<HotRegion> regions, List<String> silent) {}
