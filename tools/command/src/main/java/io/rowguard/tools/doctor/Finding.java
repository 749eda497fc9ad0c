package io.rowguard.tools.doctor;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * One thing that the doctor found.
 *
 * @param code stable, for programs and {@code --ignore}
 * @param table the table it is about; null when it is about the cluster
 * @param where the server, the region or the key it is about; null when it is about all
 * @param what a sentence
 * @param wayOut what to do; null when nothing need be done
 */
record Finding(
    Severity severity, String code, String table, String where, String what, String wayOut) {
  /** All codes there are. */
  static final Set<String> CODES =
      new TreeSet<>(
          List.of(
              "boundary_cuts_group",
              "boundary_illegal",
              "coprocessors_disabled",
              "force_left",
              "group_endpoint_alone",
              "hbase_untested",
              "hot_key",
              "jar_from_elsewhere",
              "jar_missing",
              "jar_twice",
              "jar_versions_differ",
              "layout_changes",
              "local_index",
              "mode_off",
              "mode_warn",
              "no_group_endpoint",
              "no_layout",
              "no_master_observer",
              "no_observer",
              "no_rowguard",
              "no_split_policy",
              "not_guarded",
              "observer_twice",
              "region_silent",
              "region_unreachable",
              "region_unsplittable",
              "regions_unknown",
              "relayout_paused",
              "rows_do_not_fit",
              "server_dead",
              "server_unknown",
              "settings_differ",
              "settings_unknown",
              "site_mistake",
              "table_disabled",
              "writes_let_through",
              "writes_refused",
              "wrong_configuration"));

  Finding {
    if (!CODES.contains(code)) {
      throw new IllegalArgumentException("There is no such code. code=" + code);
    }
  }

  static Finding problem(String code, String table, String where, String what, String wayOut) {
    return new Finding(Severity.PROBLEM, code, table, where, what, wayOut);
  }

  static Finding warning(String code, String table, String where, String what, String wayOut) {
    return new Finding(Severity.WARNING, code, table, where, what, wayOut);
  }

  static Finding note(String code, String table, String where, String what, String wayOut) {
    return new Finding(Severity.NOTE, code, table, where, what, wayOut);
  }
}
