package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.mapreduce.relayout.MovePace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunNotesTest {
  private final MovePace pace = MovePace.of(0);
  private final List<String> said = new ArrayList<>();
  private final RunNotes notes = new RunNotes("orders", pace, said::add);

  private static TableProgress progress(int pausedRegions) {
    return new TableProgress(1, 1, 0, 50.0, 0, null, 1L, pausedRegions);
  }

  @Test
  void look_whenTheTableIsPausedAndResumed_holdsThePaceAndSaysSoOnce() {
    notes.look(progress(0), null);
    assertEquals(List.of(), said);

    TableProgress paused = progress(1);
    notes.look(paused, null);
    notes.look(paused, null);
    notes.look(null, null);
    assertTrue(pace.isPaused());
    assertTrue(notes.isPaused());
    assertEquals(1, said.size(), said.toString());
    assertTrue(said.get(0).contains("rowguard relayout resume orders"), said.toString());

    notes.look(progress(0), null);
    assertFalse(pace.isPaused());
    assertFalse(notes.isPaused());
    assertEquals(List.of("Resumed: it goes on."), said.subList(1, said.size()));
  }

  /** The mover has been refused since the regions were asked. */
  @Test
  void look_atWhatItHasSeenBefore_doesNotUndoWhatIsNewer() {
    TableProgress running = progress(0);
    notes.look(running, null);
    pace.pause(true);
    notes.look(running, null);
    assertTrue(pace.isPaused());
    assertTrue(notes.isPaused());
  }

  @Test
  void look_atAPaceThatIsSlowed_saysSoOnce() {
    notes.look(null, new Pace(1_000, Pace.Why.NOTHING, 1, 1));
    assertEquals(List.of(), said);
    notes.look(null, new Pace(300, Pace.Why.READS, 2, 1));
    notes.look(null, new Pace(200, Pace.Why.READS, 3, 1));
    notes.look(null, new Pace(4_000, Pace.Why.NOTHING, 1, 1));
    assertEquals(
        List.of(
            "It is slowed to 300 rows a second: probe reads take 2.0 ms, 1.0 ms while no row"
                + " moves. --slowdown says how much slower they may become."),
        said);
  }
}
