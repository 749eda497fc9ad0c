package io.rowguard.relayout.model;

import static io.rowguard.relayout.model.MutationPlan.Kind.DELETE;
import static io.rowguard.relayout.model.MutationPlan.Kind.PUT_C1;
import static io.rowguard.relayout.model.MutationPlan.Kind.PUT_C2;
import static io.rowguard.relayout.model.MutationPlan.Kind.TOUCH;
import static io.rowguard.relayout.model.Reader.Kind.GET;
import static io.rowguard.relayout.model.Reader.Kind.SCAN;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The same protocol in larger settings, for some minutes, by hand; its name keeps it out of the
 * build:
 *
 * <pre>mvn -B -pl testing/relayout-model test -Dtest=LargeRun -Drelayout.model.heap=3g</pre>
 */
class LargeRun {
  @Test
  void explore_largerSettings_holds() {
    List<Setting> settings =
        List.of(
            Scripts.back()
                .mutations(PUT_C1, DELETE)
                .crashes(2)
                .zombies()
                .lateDeletes()
                .compactions(),
            Scripts.startToFinish()
                .mutations(PUT_C1, DELETE, TOUCH)
                .crashes(2)
                .zombies()
                .lateDeletes(),
            Scripts.startToFinish()
                .mutations(PUT_C1, DELETE, TOUCH)
                .readers(GET)
                .crashes(1)
                .zombies(),
            Scripts.backAndStartAgain()
                .mutations(PUT_C1, DELETE, PUT_C2)
                .crashes(2)
                .zombies()
                .lateDeletes()
                .compactions(),
            Scripts.backAndFinish()
                .mutations(PUT_C1, DELETE, TOUCH)
                .readers(SCAN)
                .crashes(1)
                .compactions());
    for (Setting setting : settings) {
      Outcome outcome = Explorer.explore(setting);
      System.out.println(outcome);
      assertNull(outcome.violation(), outcome::toString);
    }
  }
}
