package io.rowguard.tools.heatmap;

import java.util.List;

/**
 * The counters of all regions at about one moment. Not of one instant: servers are asked side by
 * side, and a region that moves meanwhile may be missing, or come twice.
 *
 * @param atMillis when the servers were asked, since the epoch
 * @param silent why servers did not answer; empty when all did
 */
record LoadReading(long atMillis, List<RegionSample> regions, List<String> silent) {}
