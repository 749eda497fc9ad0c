package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The check allocates nothing, for rows that conform and for those that do not: it runs for every
 * write of a region server.
 */
class CheckAllocationTest {
  private static final int WARM_UP = 2_000;
  private static final int ROUNDS = 20_000;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{hash:hex(8)=md5(id)}{id:text}",
        "{hash:hex(4)=md5(*)}-{id:text}",
        "{salt:digits(2)=murmur3(user)%16}-{user:word}|{id:text}",
        "{a:text}|{salt:hex(2)=crc32(*)%256}-{id:text}",
        "{salt:uint8=java31(a,id)%20}{a:text(2)}{b:digits(2)}{id:text}",
        "{a:text}/{b:word}/{id:text}",
        "{salt:uint8=java31(*)%16}{a:text}/{id:text optional}",
        "{salt:digits(2)=murmur3(tenant)%64+murmur3(item)%4}-{tenant:word}/{item:text}",
        "{salt:digits(2)=md5(tenant)%64+crc32(*)%4}-{tenant:word}/{item:text}",
        "{salt:digits(2)=murmur3(*)%16,64 from day=20261201}|{day:digits(8)}{id:text}",
        "{salt:digits(2)=murmur3(id)%16+n%4,64 from n=5,99 from n=900}|{n:uint64}{id:text}",
        "{salt:uint8=java31(*)%16}{tag:text(4) descending}{n:int16}{id:text}",
        "{salt:digits(2)=string31(*) masked%16+sha1(id) floor%4}-{user:word}|{id:text}",
        "{hash:hex(60)=sha256(id)}{id:text}",
        "{part:digits(2)=string31(id)/100000000}-{id:text}",
        "{part:uint16=sha1(*) masked/32768}{n:uint16}{id:text}",
        "{salt:uint8=md5(a as text)%16}{a:text with length uint8 plus 43}{id:text}",
        "{salt:hex(2)=md5(a,b)%256}{a:word}:{b:digits(2..4) optional}/{id:text}",
        "{salt:digits(1)=uid%4}_{uid:digits(1..19)}/{id:text}",
        "{salt:digits(2)=any of 16,64 from day=5}|{day:digits(8)}{id:text}",
        "{salt:digits(2)=murmur3(id)%16+any of 4}|{id:text}",
        "{hash:hex(8)=md5(n as decimal,first 3 of id)}{n:uint64}{id:text}",
        "{hash:hex(8)=murmur3(n as long,m as decimal,id as text)}{n:digits(8)}{m:int32}{id:text}",
        "{s:digits(2)=md5(*)%9+n%4,20 from n=5}{n:digits(8) descending from 99999}{id:text}"
      })
  void check_anyRow_allocatesNothing(String text) {
    RowkeyLayout layout = RowkeyLayout.parse(text);
    byte[] good = layout.complete(bareRow(layout));
    byte[] bad = good.clone();
    bad[0] ^= 0x40;
    byte[][] rows = {good, bad, {}, new byte[40]};
    assertEquals(Verdict.CONFORMS, layout.check(good));

    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    checkAll(layout, rows, WARM_UP);
    long before = threads.getThreadAllocatedBytes(thread);
    int conforming = checkAll(layout, rows, ROUNDS);
    long allocated = threads.getThreadAllocatedBytes(thread) - before;

    assertTrue(conforming >= ROUNDS, "conforming=" + conforming);
    // Not per row: what the measurement itself and the compiler's switches leave behind.
    assertTrue(allocated < ROUNDS, "allocated=" + allocated + " rows=" + ROUNDS * rows.length);
  }

  /** Completing is for every write of a client, which has no use for garbage either. */
  @ParameterizedTest
  @ValueSource(strings = {"{hash:hex(8)=md5(id)}{id:text}", "{hash:bytes(9)=sha256(*)}-{id:text}"})
  void completeIfBare_anyKey_allocatesTheRowAlone(String text) {
    RowkeyLayout layout = RowkeyLayout.parse(text);
    byte[] key = bareRow(layout);
    byte[] row = layout.complete(key);

    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    completeAll(layout, key, row, WARM_UP);
    long before = threads.getThreadAllocatedBytes(thread);
    completeAll(layout, key, row, ROUNDS);
    long perRow = (threads.getThreadAllocatedBytes(thread) - before) / ROUNDS;

    assertTrue(perRow < row.length + 40, "allocated=" + perRow + " row=" + row.length);
  }

  private static void completeAll(RowkeyLayout layout, byte[] key, byte[] row, int rounds) {
    for (int i = 0; i < rounds; i++) {
      byte[] completed = layout.completeIfBare(key);
      layout.writeDerived(completed, 0, completed.length);
      assertEquals(0, SlowBytes.compare(row, completed));
    }
  }

  private static int checkAll(RowkeyLayout layout, byte[][] rows, int rounds) {
    int conforming = 0;
    for (int i = 0; i < rounds; i++) {
      for (byte[] row : rows) {
        conforming += layout.check(row, 0, row.length) == Verdict.CONFORMS ? 1 : 0;
      }
    }
    return conforming;
  }

  /** A bare key whose plain segments all hold letters or digits. */
  private static byte[] bareRow(RowkeyLayout layout) {
    StringBuilder row = new StringBuilder();
    for (Part part : layout.bare().parts()) {
      if (part instanceof Literal literal) {
        row.append(new String(literal.bytes(), StandardCharsets.US_ASCII));
      } else {
        boolean isDigits =
            part instanceof Segment digits && digits.type().kind() == SegmentType.Kind.DIGITS;
        String some = isDigits ? "4711" : "alice";
        String bytes = part.isFixedLength() ? "12345678".substring(0, part.minLength()) : some;
        Segment segment = (Segment) part;
        byte[] written = bytes.getBytes(StandardCharsets.US_ASCII);
        written = segment.isTurned() ? SlowBytes.bitsTurned(written) : written;
        written = segment.hasLength() ? segment.prefix().write(written) : written;
        row.append(new String(written, StandardCharsets.ISO_8859_1));
      }
    }
    return row.toString().getBytes(StandardCharsets.ISO_8859_1);
  }
}
