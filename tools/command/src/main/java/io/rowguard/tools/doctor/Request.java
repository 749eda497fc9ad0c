package io.rowguard.tools.doctor;

import java.util.List;
import java.util.Set;

/**
 * The request to the doctor.
 *
 * @param tables their names; empty for all that are guarded
 * @param rowsPerRegion how many rows of a region to look at; 0 for none
 * @param mostRegions in how many regions of a table to look at rows
 * @param ignored codes of findings that are left out
 */
record Request(List<String> tables, int rowsPerRegion, int mostRegions, Set<String> ignored) {}
