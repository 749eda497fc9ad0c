package io.rowguard.tools.audit;

import io.rowguard.layout.RowText;
import io.rowguard.layout.Verdict;
import io.rowguard.mapreduce.audit.RegionTally;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Adds up the tallies of regions, which come in the order of rows. Its memory grows with the number
 * of regions, not with that of rows.
 */
final class FindingsCollector {
  private final Map<Verdict, Long> counts = new EnumMap<>(Verdict.class);
  private final Map<Verdict, Set<String>> regionsByCode = new EnumMap<>(Verdict.class);
  private final Map<Verdict, List<AuditFindings.Example>> examples = new EnumMap<>(Verdict.class);
  private final Map<String, AuditFindings.Region> regions = new LinkedHashMap<>();
  private final Set<String> regionsRead = new LinkedHashSet<>();
  private long rows;
  private long bare;
  private long old;

  void add(RegionTally tally) {
    rows += tally.rows();
    bare += tally.bare();
    old += tally.old();
    regionsRead.add(tally.region());
    if (tally.refused() == 0) {
      return;
    }
    tally.counts().forEach((verdict, count) -> add(tally, verdict, count));
    AuditFindings.Region region =
        new AuditFindings.Region(
            tally.region(),
            RowText.toStringBinary(tally.start()),
            RowText.toStringBinary(tally.end()),
            tally.rows(),
            tally.refused(),
            tally.bare(),
            new EnumMap<>(tally.counts()));
    regions.merge(tally.region(), region, FindingsCollector::joined);
  }

  private void add(RegionTally tally, Verdict verdict, long count) {
    counts.merge(verdict, count, Long::sum);
    regionsByCode.computeIfAbsent(verdict, code -> new LinkedHashSet<>()).add(tally.region());
    List<AuditFindings.Example> kept = examples.computeIfAbsent(verdict, code -> new ArrayList<>());
    tally
        .examples(verdict)
        .forEach(
            example ->
                kept.add(
                    new AuditFindings.Example(
                        example.row(), example.problem(), example.isBare(), tally.region())));
  }

  /** A region that was read in two parts, one after the other. */
  private static AuditFindings.Region joined(AuditFindings.Region a, AuditFindings.Region b) {
    Map<Verdict, Long> counts = new EnumMap<>(a.counts());
    b.counts().forEach((verdict, count) -> counts.merge(verdict, count, Long::sum));
    return new AuditFindings.Region(
        a.name(),
        a.start(),
        b.end(),
        a.rows() + b.rows(),
        a.refused() + b.refused(),
        a.bare() + b.bare(),
        counts);
  }

  long rows() {
    return rows;
  }

  long refused() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  long bare() {
    return bare;
  }

  long old() {
    return old;
  }

  int regionsRead() {
    return regionsRead.size();
  }

  /** The most frequent first; equally frequent ones in the order of their codes. */
  List<AuditFindings.Code> codes() {
    return counts.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .map(
            count ->
                new AuditFindings.Code(
                    count.getKey(),
                    count.getValue(),
                    regionsByCode.get(count.getKey()).size(),
                    examples.get(count.getKey())))
        .toList();
  }

  List<AuditFindings.Region> regions() {
    return List.copyOf(regions.values());
  }
}
