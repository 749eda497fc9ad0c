package io.rowguard.relayout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Get;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A request arrives as it was sent, or not at all. */
class RelayoutRequestTest {
  private static final byte[] ROW = "any".getBytes(UTF_8);
  private static final List<byte[]> ROWS =
      List.of("a|1".getBytes(UTF_8), new byte[0], new byte[] {0, -1, 127}, new byte[0xFFFF]);

  static List<RelayoutRequest> requests() {
    return List.of(
        RelayoutRequest.ask(7, ROWS),
        RelayoutRequest.ask(Long.MAX_VALUE, List.of()),
        RelayoutRequest.drop(8, ROWS, List.of(0L, Long.MAX_VALUE, -1L, 1_700_000_000_000L)),
        RelayoutRequest.touch(9, ROWS),
        RelayoutRequest.pause(13),
        RelayoutRequest.resume(14),
        RelayoutRequest.count(10),
        RelayoutRequest.count(11, ROWS.get(0)),
        RelayoutRequest.state(),
        RelayoutRequest.progress(12),
        RelayoutRequest.leftovers(15));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void of_whatWasAsked_isTheSame(RelayoutRequest asked) throws Exception {
    Get get = asked.toGet(ROW);
    RelayoutRequest arrived = RelayoutRequest.of(get);

    assertArrayEquals(ROW, get.getRow());
    assertEquals(asked.kind(), arrived.kind());
    assertEquals(asked.generation(), arrived.generation());
    assertEquals(asked.timestamps(), arrived.timestamps());
    assertEquals(asked.rows().size(), arrived.rows().size());
    for (int i = 0; i < asked.rows().size(); i++) {
      assertArrayEquals(asked.rows().get(i), arrived.rows().get(i));
    }
  }

  @Test
  void requests_areOfEveryKind() {
    assertEquals(
        Arrays.stream(RelayoutRequest.Kind.values()).toList(),
        requests().stream().map(RelayoutRequest::kind).distinct().toList());
  }

  @Test
  void of_anyOtherGet_isNull() throws Exception {
    Get get = new Get(ROW);
    get.setAttribute("rowguard.v", new byte[8]);

    assertNull(RelayoutRequest.of(get));
  }

  /** With each length: no kind, no generation, half a row. */
  @ParameterizedTest
  @MethodSource("requests")
  void of_lessThanWasAsked_isRefused(RelayoutRequest asked) {
    byte[] bytes = bytes(RelayoutRequest.drop(1, List.of(ROW, ROW), List.of(1L, 2L)));
    for (int length = 0; length < bytes.length; length++) {
      assertRefused(Arrays.copyOf(bytes, length));
    }
    byte[] own = bytes(asked);
    assertRefused(Arrays.copyOf(own, own.length - 1));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void of_moreThanWasAsked_isRefused(RelayoutRequest asked) {
    byte[] own = bytes(asked);
    assertRefused(Arrays.copyOf(own, own.length + 1));
  }

  @Test
  void of_aNegativeNumberOfRows_isRefused() {
    assertRefused(withCount(-1));
    assertRefused(withCount(Integer.MIN_VALUE));
  }

  /** It must not make room for what is not there. */
  @Test
  void of_aHugeNumberOfRows_isRefused() {
    assertRefused(withCount(Integer.MAX_VALUE));
  }

  @Test
  void of_aKindOfALaterVersion_isRefused() {
    byte[] bytes = bytes(RelayoutRequest.state());
    bytes[2] = 'X';

    DoNotRetryIOException refusal = assertRefused(bytes);
    assertTrue(refusal.getMessage().contains("later version"), refusal.getMessage());
  }

  @Test
  void of_garbage_isRefused() {
    Random random = new Random(17);
    for (int i = 0; i < 10_000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      assertRefused(bytes);
    }
  }

  @Test
  void drop_withoutATimestampForEachRow_isNoRequest() {
    assertThrows(
        IllegalArgumentException.class,
        () -> RelayoutRequest.drop(1, List.of(ROW, ROW), List.of(1L)));
  }

  @Test
  void ask_aRowWhoseLengthCannotBeWritten_isNoRequest() {
    List<byte[]> rows = List.of(new byte[0x10000]);

    assertThrows(IllegalArgumentException.class, () -> RelayoutRequest.ask(1, rows));
  }

  @Test
  void rows_areThoseOfTheMomentItWasAsked() {
    List<byte[]> rows = new ArrayList<>(List.of(ROW));
    RelayoutRequest asked = RelayoutRequest.ask(1, rows);
    rows.clear();

    assertEquals(1, asked.rows().size());
    assertThrows(UnsupportedOperationException.class, () -> asked.rows().clear());
  }

  /** The count stands after the kind, which has its length in two bytes, and the generation. */
  private static byte[] withCount(int count) {
    byte[] bytes = bytes(RelayoutRequest.ask(1, List.of(ROW)));
    ByteBuffer.wrap(bytes).putInt(2 + "ASK".length() + Long.BYTES, count);
    return bytes;
  }

  private static byte[] bytes(RelayoutRequest request) {
    byte[] bytes = request.toGet(ROW).getAttribute(RelayoutRequest.ATTRIBUTE);
    assertNotNull(bytes);
    return bytes.clone();
  }

  private static DoNotRetryIOException assertRefused(byte[] bytes) {
    Get get = new Get(ROW);
    get.setAttribute(RelayoutRequest.ATTRIBUTE, bytes);
    return assertThrows(
        DoNotRetryIOException.class, () -> RelayoutRequest.of(get), () -> Arrays.toString(bytes));
  }
}
