package io.rowguard.relayout;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * A region's response to a {@link RelayoutRequest}. Immutable but for the arrays that it shares;
 * thread-safe as long as those stay as they are.
 */
public final class RelayoutResponse {
  /** The outcome for one row. The name of each travels. */
  public enum Outcome {
    /** The row is not in this region. */
    NOT_HERE,
    /** The region is not in this relayout, or not the one to ask; the words say why. */
    REFUSED,
    /** To ASK: the old place takes the writes for now. */
    NOT_YET,
    /**
     * To ASK: there is no old row, and none will come in this generation. The bytes, if any, are an
     * {@link EmptiedRange} that the row is in. To LEFTOVERS: there is none.
     */
    NOTHING,
    /** To ASK: there is an old row; the bytes are its cells. */
    CELLS,
    /**
     * To ASK: the response is full; ask again for this row. To COUNT: the region has more rows; the
     * bytes are the one to go on from.
     */
    LATER,
    /**
     * To DROP: the old row is gone. To TOUCH: what there was is pulled. To PAUSE and RESUME: it is
     * so now. To PROGRESS: the bytes are a {@link RegionProgress}. To LEFTOVERS: there may be some.
     */
    DONE,
    /** To TOUCH: there was nothing to pull. */
    UNMOVED,
    /** To TOUCH, STATE and PROGRESS: nothing is pulled by touch until the region is resumed. */
    PAUSED,
    /** Something is in the way for now; the words say what. To be tried again. */
    FAILED
  }

  /** The part of a response that is about one row. */
  public static final class Item {
    private final Outcome outcome;
    private final byte[] bytes;

    private Item(Outcome outcome, byte[] bytes) {
      this.outcome = outcome;
      this.bytes = bytes;
    }

    /** An outcome without more. */
    public static Item of(Outcome outcome) {
      return new Item(outcome, new byte[0]);
    }

    /** An outcome with bytes. */
    public static Item of(Outcome outcome, byte[] bytes) {
      return new Item(outcome, bytes);
    }

    /** An outcome with words for people. */
    public static Item of(Outcome outcome, String words) {
      return new Item(outcome, words.getBytes(StandardCharsets.UTF_8));
    }

    /** The outcome. */
    public Outcome outcome() {
      return outcome;
    }

    /** The bytes that go with it. */
    public byte[] bytes() {
      return bytes;
    }

    /** The bytes that go with it, as words. */
    public String words() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      return outcome + (bytes.length == 0 ? "" : " (" + bytes.length + " bytes)");
    }
  }

  private static final byte[] FAMILY = "rowguard:answer".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] MARK = "rowguard relayout 1".getBytes(StandardCharsets.US_ASCII);

  private static final String NOT_UNDERSTOOD =
      "The response of the region's server about a change of the table's layout cannot be"
          + " understood; it may be of a later version.";

  private final long version;
  private final long generation;
  private final boolean moving;
  private final long misplacedRows;
  private final List<Item> items;
  private final long clock;

  private RelayoutResponse(
      long version,
      long generation,
      boolean moving,
      long misplacedRows,
      List<Item> items,
      long clock) {
    this.clock = clock;
    this.version = version;
    this.generation = generation;
    this.moving = moving;
    this.misplacedRows = misplacedRows;
    this.items = Collections.unmodifiableList(new ArrayList<>(items));
  }

  /**
   * A response, with this server's clock.
   *
   * @param version of the layouts that the region knows
   * @param generation of the relayout that the region is in; 0 where it is in none
   * @param moving whether it is in that one's second phase
   * @param misplacedRows to COUNT, how many rows of the region are not at home, as far as it has
   *     counted; else 0
   * @param items of each row that was asked about, in their order; to COUNT what else is in the way
   *     of the relayout's next step, and LATER when it is not over
   */
  public static RelayoutResponse of(
      long version, long generation, boolean moving, long misplacedRows, List<Item> items) {
    return new RelayoutResponse(
        version, generation, moving, misplacedRows, items, EnvironmentEdgeManager.currentTime());
  }

  /** The same of a region that is paused. */
  public RelayoutResponse withPaused() {
    List<Item> all = new ArrayList<>(items);
    all.add(Item.of(Outcome.PAUSED));
    return new RelayoutResponse(version, generation, moving, misplacedRows, all, clock);
  }

  /** The version of the layouts that the region knows. */
  public long version() {
    return version;
  }

  /** The generation that the region is in; 0 where it is in no relayout. */
  public long generation() {
    return generation;
  }

  /** Whether the region takes writes at new rows. */
  public boolean isMoving() {
    return moving;
  }

  /**
   * To COUNT: how many rows are not at home, as far as the region has counted: old ones while rows
   * move, new ones while that is only prepared.
   */
  public long misplacedRows() {
    return misplacedRows;
  }

  /** One item for each row, in the order of the request. */
  public List<Item> items() {
    return items;
  }

  /** To TOUCH, STATE and PROGRESS: whether the region has been told to pause. */
  public boolean isPaused() {
    return items.stream().anyMatch(item -> item.outcome == Outcome.PAUSED);
  }

  /** To LEFTOVERS: whether there may be some. */
  public boolean mayHaveLeftovers() {
    return items.size() != 1 || items.get(0).outcome != Outcome.NOTHING;
  }

  /**
   * To COUNT: the row from which the region has not counted; null when it has counted to its end,
   * or not at all.
   */
  public byte[] next() {
    for (Item item : items) {
      if (item.outcome == Outcome.LATER) {
        return item.bytes;
      }
    }
    return null;
  }

  /**
   * To COUNT: whether the region has rows that it has not looked at, and has found nothing in the
   * way so far.
   */
  boolean isUnfinished() {
    return next() != null && misplacedRows == 0 && inTheWay() == null;
  }

  /**
   * To COUNT: the first thing in the way of the next step, but for misplaced rows, in words; null
   * where there is none.
   */
  public String inTheWay() {
    for (Item item : items) {
      if (item.outcome != Outcome.LATER && item.outcome != Outcome.PAUSED) {
        return item.words();
      }
    }
    return null;
  }

  /**
   * The clock of the region's server when it made the response, in milliseconds: no cell that it
   * has stored with a timestamp of its own is newer.
   */
  public long clock() {
    return clock;
  }

  /**
   * The cell with which it travels.
   *
   * @param row of the Get that is answered
   */
  public Cell toCell(byte[] row) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.write(MARK);
      out.writeLong(version);
      out.writeLong(generation);
      out.writeBoolean(moving);
      out.writeLong(misplacedRows);
      out.writeLong(clock);
      out.writeInt(items.size());
      for (Item item : items) {
        out.writeUTF(item.outcome.name());
        out.writeInt(item.bytes.length);
        out.write(item.bytes);
      }
    } catch (IOException e) {
      throw new IllegalStateException("A stream to memory failed.", e);
    }
    return new KeyValue(row, FAMILY, new byte[0], Long.MAX_VALUE, bytes.toByteArray());
  }

  /**
   * The response in the result of a request's Get.
   *
   * @throws IOException when there is none: the server has no Rowguard that knows of relayouts
   */
  public static RelayoutResponse of(Result result) throws IOException {
    if (result != null
        && result.size() == 1
        && CellUtil.matchingFamily(result.rawCells()[0], FAMILY)) {
      byte[] bytes = CellUtil.cloneValue(result.rawCells()[0]);
      if (bytes.length > MARK.length && Arrays.equals(Arrays.copyOf(bytes, MARK.length), MARK)) {
        return decoded(bytes);
      }
    }
    throw new IOException(
        "The region's server does not answer what it is asked about a change of the table's layout:"
            + " its table has no region observer of Rowguard, or one that is too old, or no"
            + " layout.");
  }

  private static RelayoutResponse decoded(byte[] bytes) throws IOException {
    try (DataInputStream in =
        new DataInputStream(
            new ByteArrayInputStream(bytes, MARK.length, bytes.length - MARK.length))) {
      RelayoutResponse response = decoded(in);
      if (in.read() < 0) {
        return response;
      }
    } catch (IllegalArgumentException | IOException e) {
      throw new IOException(NOT_UNDERSTOOD, e);
    }
    throw new IOException(NOT_UNDERSTOOD);
  }

  private static RelayoutResponse decoded(DataInputStream in) throws IOException {
    long version = in.readLong();
    long generation = in.readLong();
    boolean moving = in.readBoolean();
    long misplacedRows = in.readLong();
    long clock = in.readLong();
    int count = in.readInt();
    if (count < 0) {
      throw new IOException("There is no such number of items. count=" + count);
    }
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Outcome outcome = Outcome.valueOf(in.readUTF());
      int length = in.readInt();
      if (length < 0 || length > in.available()) {
        throw new IOException("An item is longer than the response. length=" + length);
      }
      byte[] own = new byte[length];
      in.readFully(own);
      items.add(new Item(outcome, own));
    }
    return new RelayoutResponse(version, generation, moving, misplacedRows, items, clock);
  }
}
