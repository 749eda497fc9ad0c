package io.rowguard.master;

import static io.rowguard.master.RelayoutDescriptors.NEW;
import static io.rowguard.master.RelayoutDescriptors.OLD;
import static io.rowguard.master.RelayoutDescriptors.moving;
import static io.rowguard.master.RelayoutDescriptors.plain;
import static io.rowguard.master.RelayoutDescriptors.prepared;
import static io.rowguard.master.RelayoutDescriptors.relayout;
import static io.rowguard.master.RelayoutDescriptors.with;
import static io.rowguard.master.RelayoutDescriptors.withoutObserver;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The alters that are steps of a relayout, from descriptor to descriptor. */
class RelayoutCheckTest {
  private static final Configuration CONF = new Configuration(false);
  private static final String THIRD =
      "{salt:digits(2)=murmur3(user)%32}-{user:word}|{item:digits(4)}";

  private static final String STEPPED = OLD.replace("%16", "%16,64 from item=5000");

  /** All that a table can be, some versions on. */
  private static final Map<String, TableDescriptor> STATES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("old 0", plain(OLD, 0)),
              Map.entry("old 2", plain(OLD, 2)),
              Map.entry("old 3", plain(OLD, 3)),
              Map.entry("old 4", plain(OLD, 4)),
              Map.entry("new 3", plain(NEW, 3)),
              Map.entry("new 4", plain(NEW, 4)),
              Map.entry("prepared 1", prepared(OLD, NEW, 1, 1)),
              Map.entry("prepared 3", prepared(OLD, NEW, 3, 3)),
              Map.entry("prepared 4", prepared(OLD, NEW, 4, 4)),
              Map.entry("prepared 4 of another", prepared(OLD, THIRD, 4, 4)),
              Map.entry("prepared 4 of generation 3", prepared(OLD, NEW, 3, 4)),
              Map.entry("moving 3", moving(OLD, NEW, 2, 3)),
              Map.entry("moving 4", moving(OLD, NEW, 3, 4)),
              Map.entry("moving 4 of generation 4", moving(OLD, NEW, 4, 4)),
              Map.entry("back 4", moving(NEW, OLD, 4, 4)),
              Map.entry("back 5 of generation 2", moving(NEW, OLD, 2, 5)),
              Map.entry("back 5", moving(NEW, OLD, 5, 5)),
              Map.entry("back 6", moving(NEW, OLD, 6, 6))));

  /** The only steps there are between them; by the protocol, not by the code. */
  private static final Map<String, RelayoutStep> STEPS =
      Map.ofEntries(
          Map.entry("old 0 -> prepared 1", RelayoutStep.START),
          Map.entry("old 2 -> prepared 3", RelayoutStep.START),
          Map.entry("old 3 -> prepared 4", RelayoutStep.START),
          Map.entry("old 3 -> prepared 4 of another", RelayoutStep.START),
          Map.entry("prepared 3 -> moving 4", RelayoutStep.MOVE),
          Map.entry("prepared 1 -> old 2", RelayoutStep.GIVE_UP),
          Map.entry("prepared 3 -> old 4", RelayoutStep.GIVE_UP),
          Map.entry("moving 3 -> new 4", RelayoutStep.FINISH),
          Map.entry("moving 3 -> back 5", RelayoutStep.BACK),
          Map.entry("moving 4 -> back 6", RelayoutStep.BACK),
          Map.entry("moving 4 of generation 4 -> back 6", RelayoutStep.BACK));

  static Stream<Arguments> pairs() {
    return STATES.keySet().stream()
        .flatMap(from -> STATES.keySet().stream().map(to -> Arguments.of(from, to)));
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @MethodSource("pairs")
  void step_ofEveryPair_isAStepOrRefused(String from, String to) {
    RelayoutCheck check = RelayoutCheck.of(STATES.get(from), STATES.get(to), CONF);

    assertEquals(STEPS.get(from + " -> " + to), check.step());
    boolean isAllowed = from.equals(to) || check.step() != null || (isPlain(from) && isPlain(to));
    if (check.isConcerned()) {
      assertEquals(isAllowed, check.violations().isEmpty(), () -> codes(check).toString());
    }
  }

  private static boolean isPlain(String state) {
    return state.startsWith("old") || state.startsWith("new");
  }

  /** By force the version is raised by two. */
  @ParameterizedTest(name = "{0} -> {1}")
  @MethodSource("pairs")
  void underLock_ofEveryPair_takesStepsAndWhatIsForced(String from, String to) {
    RuleViolation violation = RelayoutCheck.underLock(STATES.get(from), STATES.get(to), CONF);

    int raised = version(to) - version(from);
    boolean isTaken =
        from.equals(to)
            || STEPS.containsKey(from + " -> " + to)
            || raised == 2
            || (raised == 1 && isPlain(from) && isPlain(to));
    assertEquals(isTaken, violation == null);
    if (violation != null) {
      assertEquals(Rule.RELAYOUT_VERSION, violation.rule());
    }
  }

  private static int version(String state) {
    String version = STATES.get(state).getValue("rowguard.layout.version");
    return version == null ? 0 : Integer.parseInt(version);
  }

  /** Both were judged by version 3; what comes second would undo the first. */
  @Test
  void underLock_secondOfTwoAlters_isRefused() {
    TableDescriptor judged = moving(OLD, NEW, 2, 3);
    TableDescriptor finish = plain(NEW, 4);
    TableDescriptor back = moving(NEW, OLD, 5, 5);
    TableDescriptor unrelated = with(judged, "MAX_FILESIZE", "100000000");

    assertNull(RelayoutCheck.underLock(judged, finish, CONF));
    assertNull(RelayoutCheck.underLock(judged, back, CONF));
    assertNull(RelayoutCheck.underLock(judged, unrelated, CONF));
    for (TableDescriptor second : List.of(back, unrelated)) {
      assertNotNull(RelayoutCheck.underLock(finish, second, CONF));
    }
    for (TableDescriptor second : List.of(finish, unrelated)) {
      assertNotNull(RelayoutCheck.underLock(back, second, CONF));
    }
    assertNull(RelayoutCheck.underLock(finish, finish, CONF));
  }

  @Test
  void underLock_ofTablesThatNeverWereInARelayout_takesAnything() {
    assertNull(RelayoutCheck.underLock(plain(OLD, 0), plain(NEW, 0), CONF));
    assertNull(RelayoutCheck.underLock(plain(OLD, 0), plain(null, 0), CONF));
    assertNull(RelayoutCheck.underLock(plain(null, 0), plain(NEW, 0), CONF));
  }

  @Test
  void violations_ofAWrongVersion_sayWhatIsStoredAndWhatComesNext() {
    String message = onlyMessage(moving(OLD, NEW, 2, 3), plain(NEW, 5), Rule.RELAYOUT_VERSION);

    assertTrue(message.contains(" stored=3 found=5 next=4 touched=[rowguard.layout.previous, "));
    assertTrue(
        onlyMessage(moving(OLD, NEW, 2, 3), plain(NEW, 0), Rule.RELAYOUT_VERSION)
            .contains(" stored=3 found=none next=4 "));
  }

  @Test
  void violations_ofTheVersionAlone_isNoStep() {
    assertEquals(List.of("relayout_step"), codes(moving(OLD, NEW, 2, 3), moving(OLD, NEW, 2, 4)));
    assertEquals(
        List.of("relayout_version"), codes(moving(OLD, NEW, 2, 3), moving(OLD, NEW, 2, 5)));
  }

  @ParameterizedTest
  @MethodSource("noSteps")
  void violations_ofWhatIsNoStep_isRefused(TableDescriptor from, TableDescriptor to) {
    assertEquals(List.of("relayout_step"), codes(from, to));
  }

  static Stream<Arguments> noSteps() {
    return Stream.of(
        // Another target, or another origin, in the middle.
        Arguments.of(prepared(OLD, NEW, 3, 3), prepared(OLD, THIRD, 4, 4)),
        Arguments.of(moving(OLD, NEW, 2, 3), moving(OLD, THIRD, 2, 4)),
        Arguments.of(moving(OLD, NEW, 2, 3), moving(NEW, THIRD, 4, 4)),
        Arguments.of(moving(OLD, NEW, 2, 3), moving(THIRD, NEW, 2, 4)),
        // Leaving neither the one nor the other behind, for a third.
        Arguments.of(moving(OLD, NEW, 2, 3), plain(THIRD, 4)),
        Arguments.of(moving(OLD, NEW, 2, 3), plain(OLD, 4)),
        Arguments.of(prepared(OLD, NEW, 3, 3), plain(NEW, 4)),
        Arguments.of(moving(OLD, NEW, 2, 3), plain(null, 4)),
        // Back to prepared, or at once to moving, or to a phase that there is not.
        Arguments.of(moving(OLD, NEW, 2, 3), prepared(OLD, NEW, 2, 4)),
        Arguments.of(moving(OLD, NEW, 2, 3), prepared(NEW, OLD, 4, 4)),
        Arguments.of(plain(OLD, 2), moving(OLD, NEW, 3, 3)),
        Arguments.of(prepared(OLD, NEW, 3, 3), relayout(OLD, NEW, "over", 3, 4)),
        // The generation is that of the start, and new with it and with a way back.
        Arguments.of(plain(OLD, 2), prepared(OLD, NEW, 2, 3)),
        Arguments.of(prepared(OLD, NEW, 3, 3), moving(OLD, NEW, 4, 4)),
        Arguments.of(moving(OLD, NEW, 2, 3), moving(NEW, OLD, 2, 5)),
        Arguments.of(moving(OLD, NEW, 2, 3), moving(NEW, OLD, 4, 5)),
        // A layout that is not the table's is no previous one.
        Arguments.of(plain(OLD, 2), prepared(THIRD, NEW, 3, 3)),
        Arguments.of(plain(null, 2), prepared(OLD, NEW, 3, 3)),
        Arguments.of(plain(OLD, 2), prepared(OLD, OLD, 3, 3)),
        // A finish leaves nothing behind.
        Arguments.of(
            moving(OLD, NEW, 2, 3), with(plain(NEW, 4), "rowguard.layout.phase", "moving")),
        Arguments.of(
            moving(OLD, NEW, 2, 3), with(plain(NEW, 4), "rowguard.layout.generation", "2")));
  }

  /** However it is spelt. */
  @Test
  void step_ofLayoutsSpeltInAnotherWay_isTheSame() {
    TableDescriptor start =
        with(
            prepared(OLD, NEW, 1, 1),
            "rowguard.layout.previous",
            OLD.replace("{user:word}", "{ user:word }"),
            "rowguard.layout.phase",
            " prepared ");

    assertEquals(RelayoutStep.START, RelayoutCheck.of(plain(OLD, 0), start, CONF).step());
    assertEquals(List.of(), codes(start, prepared(OLD, NEW, 1, 1)));
  }

  @ParameterizedTest
  @MethodSource("unsettled")
  void violations_ofWhatSaysWhereARowBelongs_isRefusedInTheMiddle(String key, String value) {
    TableDescriptor before = moving(OLD, NEW, 2, 3);

    assertTrue(
        onlyMessage(before, with(before, key, value), Rule.RELAYOUT_STEP)
            .contains(" touched=[" + key + "]. "));
    assertTrue(
        onlyMessage(before, with(plain(NEW, 4), key, value), Rule.RELAYOUT_STEP)
            .contains(" touched=[" + key + "]. "));
    assertEquals(List.of(), codes(plain(OLD, 2), with(plain(OLD, 2), key, value)));
  }

  static Stream<Arguments> unsettled() {
    return Stream.of(
        Arguments.of("rowguard.group", null),
        Arguments.of("rowguard.group", "item"),
        Arguments.of("rowguard.row.max.length", "100"));
  }

  /** With other numbers of replicas the lock is given up before the descriptor is stored. */
  @Test
  void violations_ofAStepWithOtherReplicas_isRefused() {
    TableDescriptor replicas =
        TableDescriptorBuilder.newBuilder(plain(OLD, 0)).setRegionReplication(2).build();

    assertTrue(
        onlyMessage(replicas, prepared(OLD, NEW, 1, 1), Rule.RELAYOUT_STEP)
            .contains("touched=[REGION_REPLICATION]"));
  }

  @Test
  void violations_ofOtherKeysInTheMiddle_none() {
    TableDescriptor before = moving(OLD, NEW, 2, 3);

    assertEquals(
        List.of(),
        codes(before, with(before, "MAX_FILESIZE", "100000000", "rowguard.delete", "enforce")));
  }

  @Test
  void violations_ofTheObserverTakenOff_refuseOnlyInARelayout() {
    TableDescriptor before = moving(OLD, NEW, 2, 3);
    TableDescriptor without = withoutObserver(before);

    assertEquals(List.of("relayout_unguarded"), codes(before, without));
    assertEquals(
        List.of("relayout_unguarded"),
        codes(plain(OLD, 0), withoutObserver(prepared(OLD, NEW, 1, 1))));
    assertEquals(List.of(), codes(plain(OLD, 0), withoutObserver(plain(OLD, 0))));
    assertEquals(List.of(), codes(before, withoutObserver(plain(NEW, 4))));
    RuleViolation stays =
        RelayoutCheck.of(without, with(without, "MAX_FILESIZE", "100000000"), CONF)
            .violations()
            .get(0);
    assertFalse(stays.isRefusal());
  }

  /** An alter need not count there, but one that does is held to it. */
  @Test
  void violations_outsideOfARelayout_holdOnlyNamedVersionsToTheNextOne() {
    assertEquals(List.of(), codes(plain(OLD, 2), plain(NEW, 0)));
    assertEquals(List.of(), codes(plain(OLD, 2), plain(NEW, 2)));
    assertEquals(List.of(), codes(plain(OLD, 2), plain(NEW, 3)));
    assertEquals(List.of(), codes(plain(OLD, 2), plain(null, 0)));
    assertEquals(List.of("relayout_version"), codes(plain(OLD, 2), plain(NEW, 1)));
    assertEquals(List.of("relayout_version"), codes(plain(OLD, 2), plain(NEW, 4)));
    assertEquals(List.of("relayout_version"), codes(plain(OLD, 2), plain(OLD, 1)));
  }

  @Test
  void numbered_whateverCame_hasTheVersionThatComesNext() {
    assertNumbered(null, plain(OLD, 0), plain(NEW, 0));
    assertNumbered("3", plain(OLD, 2), plain(NEW, 0));
    assertNumbered("3", plain(OLD, 2), plain(NEW, 2));
    assertNumbered("3", plain(OLD, 2), plain(NEW, 3));
    assertNumbered("3", plain(OLD, 2), plain(null, 0));
    assertNumbered("3", plain(null, 2), plain(OLD, 2));
    assertNumbered("2", plain(OLD, 2), plain(OLD, 0));
    assertNumbered("2", plain(OLD, 2), plain(OLD, 1));
    // By force, in the middle.
    assertNumbered("5", moving(OLD, NEW, 2, 3), plain(NEW, 0));
    assertNumbered("5", moving(OLD, NEW, 2, 3), plain(null, 7));
    assertNumbered("5", moving(OLD, NEW, 2, 3), moving(NEW, OLD, 4, 4));
    assertNumbered("3", moving(OLD, NEW, 2, 3), moving(OLD, NEW, 2, 1));
    assertNumbered("2", plain(OLD, 0), prepared(OLD, NEW, 1, 0));
    // Steps: a client that plans without them must be told.
    assertNumbered("2", plain(OLD, 0), plain(STEPPED, 0));
    assertNumbered("4", plain(OLD, 2), plain(STEPPED, 2));
    assertNumbered("3", plain(STEPPED, 2), plain(OLD, 2));
  }

  private static void assertNumbered(
      String expected, TableDescriptor before, TableDescriptor after) {
    RelayoutCheck check = RelayoutCheck.of(before, after, CONF);

    TableDescriptor stored = check.numbered(after);

    assertEquals(expected, stored.getValue("rowguard.layout.version"));
    assertEquals(
        with(after, "rowguard.layout.version", null),
        with(stored, "rowguard.layout.version", null));
    assertNull(RelayoutCheck.underLock(before, stored, CONF));
  }

  @Test
  void numbered_rightVersion_isTheSameDescriptor() {
    TableDescriptor finish = plain(NEW, 4);

    assertSame(finish, RelayoutCheck.of(moving(OLD, NEW, 2, 3), finish, CONF).numbered(finish));
  }

  /** The validator finds such mistakes itself; a step is judged all the same. */
  @Test
  void violations_ofNumbersThatAreNone_areRefused() {
    TableDescriptor before = moving(OLD, NEW, 2, 3);

    assertEquals(
        List.of("relayout_version"),
        codes(before, with(plain(NEW, 0), "rowguard.layout.version", "four")));
  }

  private static String onlyMessage(TableDescriptor before, TableDescriptor after, Rule rule) {
    List<RuleViolation> violations = RelayoutCheck.of(before, after, CONF).violations();
    assertEquals(1, violations.size(), () -> violations.toString());
    assertEquals(rule, violations.get(0).rule());
    assertTrue(violations.get(0).isRefusal());
    return violations.get(0).message();
  }

  private static List<String> codes(TableDescriptor before, TableDescriptor after) {
    return codes(RelayoutCheck.of(before, after, CONF));
  }

  private static List<String> codes(RelayoutCheck check) {
    return check.violations().stream().map(violation -> violation.rule().code()).toList();
  }
}
