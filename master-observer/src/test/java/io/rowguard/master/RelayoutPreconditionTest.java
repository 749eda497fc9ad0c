package io.rowguard.master;

import static io.rowguard.master.RelayoutDescriptors.NEW;
import static io.rowguard.master.RelayoutDescriptors.OLD;
import static io.rowguard.master.RelayoutDescriptors.ORDERS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.rowguard.relayout.PolledRegion;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The responses of regions that a step needs. */
class RelayoutPreconditionTest {
  private static final List<RegionInfo> REGIONS = regions("", "04", "08", "");

  /** The declaration of a table before each step; of generation and version two and up. */
  private static final Map<RelayoutStep, TableDescriptor> BEFORE =
      Map.of(
          RelayoutStep.START, RelayoutDescriptors.plain(OLD, 2),
          RelayoutStep.MOVE, RelayoutDescriptors.prepared(OLD, NEW, 3, 3),
          RelayoutStep.FINISH, RelayoutDescriptors.moving(OLD, NEW, 3, 4),
          RelayoutStep.GIVE_UP, RelayoutDescriptors.prepared(OLD, NEW, 3, 3),
          RelayoutStep.BACK, RelayoutDescriptors.moving(OLD, NEW, 3, 4));

  /** The response of each region when all is well. */
  private static final Map<RelayoutStep, RelayoutResponse> RIGHT =
      Map.of(
          RelayoutStep.START, RelayoutResponse.of(2, 0, false, 0, List.of()),
          RelayoutStep.MOVE, RelayoutResponse.of(3, 3, false, 0, List.of()),
          RelayoutStep.FINISH, RelayoutResponse.of(4, 3, true, 0, List.of()),
          RelayoutStep.BACK, RelayoutResponse.of(4, 3, true, 0, List.of()));

  private final List<RelayoutRequest> asked = new ArrayList<>();

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GIVE_UP")
  void violation_allRegionsSayTheRight_none(RelayoutStep step) {
    RelayoutResponse right = RIGHT.get(step);

    assertNull(
        precondition(step, right, right, right)
            .violation(step, false, true, RelayoutPreconditionTest::unasked));

    boolean counts = step == RelayoutStep.MOVE || step == RelayoutStep.FINISH;
    assertEquals(1, asked.size());
    assertEquals(
        counts ? RelayoutRequest.Kind.COUNT : RelayoutRequest.Kind.STATE, asked.get(0).kind());
    assertEquals(counts ? 3 : 0, asked.get(0).generation());
  }

  /** It is open to those in trouble, too: a region that does not open, say. */
  @Test
  void violation_beforeGivingUp_asksNobody() {
    assertNull(
        precondition(RelayoutStep.GIVE_UP)
            .violation(RelayoutStep.GIVE_UP, false, false, RelayoutPreconditionTest::unasked));
    assertEquals(List.of(), asked);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GIVE_UP")
  void violation_oneRegionIsOfAnotherVersion_isFound(RelayoutStep step) {
    RelayoutResponse right = RIGHT.get(step);
    for (int version : new int[] {1, 5}) {
      RelayoutResponse other =
          RelayoutResponse.of(version, right.generation(), right.isMoving(), 0, List.of());

      RuleViolation violation =
          precondition(step, right, other, right)
              .violation(step, false, true, RelayoutPreconditionTest::unasked);

      assertEquals(Rule.RELAYOUT_UNPROVED, violation.rule());
      assertTrue(violation.isRefusal());
      assertContains(
          violation, "found=\"1 of 3 regions: [04, 08) is of version " + version + "\". ");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MOVE", "FINISH", "BACK"})
  void violation_oneRegionIsOfAnotherGenerationOrPhase_isFound(RelayoutStep step) {
    RelayoutResponse right = RIGHT.get(step);
    RelayoutResponse older =
        RelayoutResponse.of(right.version(), 1, right.isMoving(), 0, List.of());
    RelayoutResponse phase =
        RelayoutResponse.of(right.version(), 3, !right.isMoving(), 0, List.of());

    assertContains(
        precondition(step, right, right, older)
            .violation(step, false, true, RelayoutPreconditionTest::unasked),
        "[08, ) is of generation 1, ");
    assertContains(
        precondition(step, right, right, phase)
            .violation(step, false, true, RelayoutPreconditionTest::unasked),
        "[08, ) is of generation 3, " + (right.isMoving() ? "not moving" : "moving"));
  }

  @Test
  void violation_regionsWithRowsInTheWay_areFound() {
    RelayoutResponse right = RIGHT.get(RelayoutStep.FINISH);
    RelayoutResponse rows = RelayoutResponse.of(4, 3, true, 17, List.of());
    RelayoutResponse marker =
        RelayoutResponse.of(4, 3, true, 0, List.of(Item.of(Outcome.FAILED, "A marker.")));

    assertContains(
        precondition(RelayoutStep.FINISH, rows, right, marker)
            .violation(RelayoutStep.FINISH, false, true, RelayoutPreconditionTest::unasked),
        " step=\"finish\" version=4 generation=3 found=\"2 of 3 regions: [, 04) has at least 17"
            + " rows that only the old layout has; [08, ) A marker.\". ");
    assertContains(
        precondition(RelayoutStep.MOVE, RelayoutResponse.of(3, 3, false, 1, List.of()))
            .violation(RelayoutStep.MOVE, false, true, RelayoutPreconditionTest::unasked),
        "has at least 1 rows that only the new layout has");
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GIVE_UP")
  void violation_oneRegionDoesNotAnswer_isFound(RelayoutStep step) {
    RelayoutPrecondition precondition =
        new RelayoutPrecondition(
            ORDERS,
            LayoutKeys.of(BEFORE.get(step), new Configuration(false)),
            request ->
                List.of(
                    responded(REGIONS.get(0), RIGHT.get(step)),
                    PolledRegion.failed(location(REGIONS.get(1)), "no answer in 20 s"),
                    responded(REGIONS.get(2), RIGHT.get(step))));

    assertContains(
        precondition.violation(step, false, true, RelayoutPreconditionTest::unasked),
        "found=\"1 of 3 regions: [04, 08) no answer in 20 s\"");
  }

  @Test
  void violation_notAllRegionsOpen_asksNone() {
    assertContains(
        precondition(RelayoutStep.START)
            .violation(RelayoutStep.START, false, false, RelayoutPreconditionTest::unasked),
        "found=\"not all regions are open\"");
    assertEquals(List.of(), asked);
  }

  /** No region can be behind then, but none can count either. */
  @Test
  void violation_disabledTable_mustHoldNoDataToMoveOrFinish() {
    for (RelayoutStep step : RelayoutStep.values()) {
      boolean counts = step == RelayoutStep.MOVE || step == RelayoutStep.FINISH;

      RuleViolation violation = precondition(step).violation(step, true, false, () -> "file f");

      assertEquals(counts, violation != null);
      assertNull(precondition(step).violation(step, true, false, () -> null));
      if (counts) {
        assertContains(violation, "the table is disabled, so its regions cannot count: file f");
      }
    }
    assertEquals(List.of(), asked);
  }

  @Test
  void violation_manyRegions_namesSome() {
    RelayoutResponse rows = RelayoutResponse.of(4, 3, true, 1, List.of());
    List<RegionInfo> many = regions("", "01", "02", "03", "04", "");
    RelayoutPrecondition precondition =
        new RelayoutPrecondition(
            ORDERS,
            LayoutKeys.of(BEFORE.get(RelayoutStep.FINISH), new Configuration(false)),
            responses(many, rows));

    String message =
        precondition
            .violation(RelayoutStep.FINISH, false, true, RelayoutPreconditionTest::unasked)
            .message();

    assertTrue(message.contains("5 of 5 regions: [, 01) "), message);
    assertFalse(message.contains("[03, 04)"), message);
  }

  private RelayoutPrecondition precondition(RelayoutStep step, RelayoutResponse... responses) {
    return new RelayoutPrecondition(
        ORDERS,
        LayoutKeys.of(BEFORE.get(step), new Configuration(false)),
        responses(REGIONS.subList(0, Math.max(1, responses.length)), responses));
  }

  /** The last response is that of all other regions, too. */
  private Function<RelayoutRequest, List<PolledRegion>> responses(
      List<RegionInfo> regions, RelayoutResponse... responses) {
    return request -> {
      asked.add(request);
      List<PolledRegion> polled = new ArrayList<>();
      for (int i = 0; i < regions.size(); i++) {
        polled.add(responded(regions.get(i), responses[Math.min(i, responses.length - 1)]));
      }
      return polled;
    };
  }

  private static PolledRegion responded(RegionInfo region, RelayoutResponse response) {
    return PolledRegion.responded(location(region), response);
  }

  private static HRegionLocation location(RegionInfo region) {
    return new HRegionLocation(region, null);
  }

  private static String unasked() {
    return fail("whether there is data does not matter");
  }

  private static List<RegionInfo> regions(String... keys) {
    List<RegionInfo> regions = new ArrayList<>();
    List<byte[]> bytes = Arrays.stream(keys).map(Bytes::toBytes).toList();
    for (int i = 1; i < keys.length; i++) {
      regions.add(
          RegionInfoBuilder.newBuilder(ORDERS)
              .setStartKey(bytes.get(i - 1))
              .setEndKey(bytes.get(i))
              .setRegionId(1)
              .build());
    }
    return regions;
  }

  private static void assertContains(RuleViolation violation, String part) {
    assertNotNull(violation);
    assertTrue(violation.message().contains(part), violation.message());
  }
}
