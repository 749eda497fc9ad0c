package io.rowguard.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.soak.Fault.Need;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SoakOptionsTest {
  private static final String[] LEAST = {
    "--minutes", "2", "--cluster", "c", "--dir", "d", "--history", "h"
  };

  private static SoakOptions with(String... more) {
    String[] all = Arrays.copyOf(LEAST, LEAST.length + more.length);
    System.arraycopy(more, 0, all, LEAST.length, more.length);
    return SoakOptions.parse(all);
  }

  @Test
  void parse_ofTheLeast_hasAllFaults() {
    assertEquals(Set.of(Fault.values()), with().faults());
    assertEquals(0, with().seed());
  }

  @Test
  void parse_ofFaults_hasThose() {
    SoakOptions options = with("--faults", "kill-master,split", "--seed", "7");

    assertEquals(Set.of(Fault.KILL_MASTER, Fault.SPLIT), options.faults());
    assertEquals("minutes=2 seed=7 faults=kill-master,split", options.toString());
  }

  @Test
  void parse_whereSomethingIsMissing_leavesOutWhatNeedsIt() {
    SoakOptions options = with("--no-network", "no root");

    Set<Fault> left = EnumSet.allOf(Fault.class);
    left.removeAll(options.faults());
    assertEquals(
        Set.of(Fault.CUT_REGION_SERVER, Fault.PART_SERVERS, Fault.SLOW_REGION_SERVER, Fault.FLAP),
        left);
    assertEquals(Map.of(Need.NETWORK, "no root"), options.missing());
    assertEquals(
        "cut-region-server, part-servers, slow-region-server, flap", Fault.names(Need.NETWORK));
  }

  @Test
  void parse_ofFaultsThatNeedNothingMissing_leavesOutNone() {
    SoakOptions options = with("--no-network", "no root", "--faults", "split,full-disk");

    assertEquals(Set.of(Fault.SPLIT, Fault.FULL_DISK), options.faults());
    assertEquals(Map.of(), options.missing());
  }

  @Test
  void parse_ofAFaultThatCannotBe_saysWhy() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> with("--faults", "split,full-disk", "--no-small-disk", "no root"));
    assertEquals("full-disk cannot be done here: no root", e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "--faults, kill-all, No fault is called",
    "--faults, '', No fault is called",
    "--minutes, 0, --minutes needs a number from 1 to 10000",
    "--seed, x, --seed needs a number from 0",
    "--what, x, What is --what?"
  })
  void parse_ofBadInput_saysWhatIsWrong(String name, String value, String error) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> with(name, value));
    assertTrue(e.getMessage().startsWith(error), e.getMessage());
  }

  @Test
  void parse_ofTooLittle_throws() {
    assertThrows(IllegalArgumentException.class, () -> SoakOptions.parse("--minutes", "2"));
    assertThrows(IllegalArgumentException.class, () -> with("--seed"));
  }
}
