package io.rowguard.tools.heatmap;

/**
 * The counters of one region at one moment.
 *
 * @param region its encoded name
 * @param server who served it, with its start code: a server that starts again counts from 0
 * @param reads requests since the region was opened there
 * @param writes likewise
 * @param bytes store files and memstore, in whole mebibytes
 */
record RegionSample(
    String region, String server, RegionRange range, long reads, long writes, long bytes) {}
