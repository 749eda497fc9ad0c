package io.rowguard.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.checker.KeyHistory;
import io.rowguard.soak.SoakTable.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each action of a batch is taken for what its own answer says. */
class HotKeyClientTest {
  private static final long SEED = 7;
  private static final int BATCHES = 20;

  @TempDir private Path directory;
  private final List<Row> sent = new ArrayList<>();
  private SoakTable table;
  private Events events;

  @BeforeEach
  void start() throws IOException {
    events = new Events(directory);
    table = new SoakTable(Kind.GROUPED, directory);
  }

  @AfterEach
  void close() {
    events.close();
  }

  /** A table whose batches have the same answer for each action, or none, and fail but for one. */
  @SuppressWarnings("unused") // called by name
  private final class Answering {
    private final Object answer;

    Answering(Object answer) {
      this.answer = answer;
    }

    void batch(List<? extends Row> actions, Object[] results) throws IOException {
      sent.addAll(actions);
      assertEquals(
          actions.size(),
          actions.stream()
              .map(action -> Bytes.toString(action.getRow()))
              .collect(Collectors.toCollection(HashSet::new))
              .size());
      Arrays.fill(results, answer);
      if (!(answer instanceof Result)) {
        throw new IOException("a batch failed", new NotServingRegionException("of one action"));
      }
    }

    RegionLocator getRegionLocator() {
      return Fake.of(RegionLocator.class, this);
    }

    void clearRegionLocationCache() {}
  }

  private void sendBatches(Object answer, int count) throws Exception {
    Table exact = Fake.of(Table.class, new Answering(answer));
    Retries none = new Retries(() -> true, events);
    HotKeyClient client = new HotKeyClient(table, exact, exact, none, SEED);
    for (int i = 0; i < count; i++) {
      client.batch();
    }
  }

  private int noted() {
    return table.hot().values().stream().mapToInt(KeyHistory::size).sum();
  }

  private int unknown() {
    return table.hot().values().stream().mapToInt(KeyHistory::unknown).sum();
  }

  private int mutations() {
    return (int) sent.stream().filter(Mutation.class::isInstance).count();
  }

  @Test
  void batch_withAllAnswers_isNotedWhole() throws Exception {
    sendBatches(Result.EMPTY_RESULT, BATCHES);

    assertEquals(sent.size(), noted());
    assertEquals(0, unknown());
    List<String> lines = Files.readAllLines(directory.resolve("soak_grouped.txt"));
    assertEquals(sent.size(), lines.size());
    assertTrue(lines.stream().allMatch(line -> line.matches("h0\\d\\|00000\\d .* in a batch .*")));
    assertTrue(mutations() > 0 && mutations() < sent.size(), sent::toString);
  }

  /** Each get has seen nothing, and so a key that was put before cannot be explained. */
  @Test
  void batch_whoseGetsMissRows_isAViolation() throws Exception {
    sendBatches(Result.EMPTY_RESULT, BATCHES);

    assertTrue(table.hot().values().stream().anyMatch(history -> history.violation() != null));
  }

  @Test
  void actionThatReachedNoRegion_wasNone() throws Exception {
    sendBatches(new NotServingRegionException("moved"), 1);

    assertEquals(0, noted());
  }

  /** The error of the batch says that another action reached no region. */
  @Test
  void mutationWithoutAnAnswer_isUnknown() throws Exception {
    sendBatches(null, 1);

    assertTrue(mutations() > 0, sent::toString);
    assertEquals(mutations(), noted());
    assertEquals(mutations(), unknown());
  }

  @Test
  void mutationWithALostAnswer_isUnknown() throws Exception {
    sendBatches(new IOException("Connection reset"), 1);

    assertEquals(mutations(), unknown());
  }

  @Test
  void actionThatIsRefused_endsTheClient() {
    DoNotRetryIOException refusal = new DoNotRetryIOException("Rowkey does not fit the layout.");

    assertThrows(IOException.class, () -> sendBatches(refusal, 1));
  }
}
