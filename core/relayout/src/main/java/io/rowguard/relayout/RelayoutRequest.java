package io.rowguard.relayout;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Get;

/**
 * A request to the region of some rows of a table in relayout. Immutable but for the arrays that it
 * shares; thread-safe as long as those stay as they are.
 */
public final class RelayoutRequest {
  /** The attribute that makes a Get a request. */
  public static final String ATTRIBUTE = "rowguard.question";

  /** The kind of request. The name of each travels. */
  public enum Kind {
    /** To the region of old rows: what is there? Each row is answered by itself. */
    ASK,
    /**
     * To the region of old rows, which have been copied: delete each up to the timestamp that it
     * comes with.
     */
    DROP,
    /** To the region of new rows: pull each, if there is something to pull. */
    TOUCH,
    /**
     * To the region of new rows: refuse each {@link #TOUCH} until {@link #RESUME}, or until the
     * region opens anew. Writes pull as ever.
     */
    PAUSE,
    /** To the region of new rows: pull what is touched again. */
    RESUME,
    /**
     * How many rows are not at home, and what else would keep a relayout from its next step? Of a
     * region's rows from the one that is named, or from its first; {@link RelayoutResponse#next}
     * says where to go on.
     */
    COUNT,
    /** The version and the generation of the region. */
    STATE,
    /**
     * How many old rows have gone, and how many are left? The response is a {@link RegionProgress}.
     * A region that has not counted its old rows since it opened counts on, for a second at most.
     */
    PROGRESS,
    /**
     * Whether the region may have delete markers that pulls have left: it has deleted old rows of
     * the generation since it opened, or its files have markers of families.
     */
    LEFTOVERS
  }

  /** The bytes of a written length. HBase's own rows are shorter. */
  private static final int LONGEST_ROW = 0xFFFF;

  private final Kind kind;
  private final long generation;
  private final List<byte[]> rows;
  private final List<Long> timestamps;

  private RelayoutRequest(Kind kind, long generation, List<byte[]> rows, List<Long> timestamps) {
    for (byte[] row : rows) {
      if (row.length > LONGEST_ROW) {
        throw new IllegalArgumentException("No row is as long as that. length=" + row.length);
      }
    }
    this.kind = kind;
    this.generation = generation;
    this.rows = Collections.unmodifiableList(new ArrayList<>(rows));
    this.timestamps = Collections.unmodifiableList(new ArrayList<>(timestamps));
  }

  /** {@link Kind#ASK}, of old rows in one region. */
  public static RelayoutRequest ask(long generation, List<byte[]> oldRows) {
    return new RelayoutRequest(Kind.ASK, generation, oldRows, Collections.emptyList());
  }

  /**
   * {@link Kind#DROP}, of old rows in one region.
   *
   * @param timestamps of each row its newest, in milliseconds, inclusive
   */
  public static RelayoutRequest drop(long generation, List<byte[]> oldRows, List<Long> timestamps) {
    if (oldRows.size() != timestamps.size()) {
      throw new IllegalArgumentException(
          "Each row has a timestamp. rows=" + oldRows.size() + " timestamps=" + timestamps.size());
    }
    return new RelayoutRequest(Kind.DROP, generation, oldRows, timestamps);
  }

  /** {@link Kind#TOUCH}, of new rows in one region. */
  public static RelayoutRequest touch(long generation, List<byte[]> newRows) {
    return new RelayoutRequest(Kind.TOUCH, generation, newRows, Collections.emptyList());
  }

  /** {@link Kind#PAUSE}. */
  public static RelayoutRequest pause(long generation) {
    return new RelayoutRequest(
        Kind.PAUSE, generation, Collections.emptyList(), Collections.emptyList());
  }

  /** {@link Kind#RESUME}. */
  public static RelayoutRequest resume(long generation) {
    return new RelayoutRequest(
        Kind.RESUME, generation, Collections.emptyList(), Collections.emptyList());
  }

  /** {@link Kind#COUNT}, of all rows of a region. */
  public static RelayoutRequest count(long generation) {
    return new RelayoutRequest(
        Kind.COUNT, generation, Collections.emptyList(), Collections.emptyList());
  }

  /**
   * {@link Kind#COUNT}, of a region's rows from one of them.
   *
   * @param from inclusive, a row of the region
   */
  public static RelayoutRequest count(long generation, byte[] from) {
    return new RelayoutRequest(
        Kind.COUNT, generation, Collections.singletonList(from), Collections.emptyList());
  }

  /** {@link Kind#STATE}. */
  public static RelayoutRequest state() {
    return new RelayoutRequest(Kind.STATE, 0, Collections.emptyList(), Collections.emptyList());
  }

  /** {@link Kind#PROGRESS}. */
  public static RelayoutRequest progress(long generation) {
    return new RelayoutRequest(
        Kind.PROGRESS, generation, Collections.emptyList(), Collections.emptyList());
  }

  /**
   * {@link Kind#LEFTOVERS}.
   *
   * @param generation whose markers may not be in files yet; 0 where those of all are
   */
  public static RelayoutRequest leftovers(long generation) {
    return new RelayoutRequest(
        Kind.LEFTOVERS, generation, Collections.emptyList(), Collections.emptyList());
  }

  /** The kind. */
  public Kind kind() {
    return kind;
  }

  /** The generation of the relayout; 0 in {@link Kind#STATE}. */
  public long generation() {
    return generation;
  }

  /** The rows that are asked about, in their order. To COUNT, the one to begin at, or none. */
  public List<byte[]> rows() {
    return rows;
  }

  /** The timestamp of each row in {@link Kind#DROP}; else empty. */
  public List<Long> timestamps() {
    return timestamps;
  }

  /**
   * The Get with which it travels.
   *
   * @param row any row of the region that is asked
   */
  public Get toGet(byte[] row) {
    Get get = new Get(row);
    get.setAttribute(ATTRIBUTE, encoded());
    return get;
  }

  private byte[] encoded() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(kind.name());
      out.writeLong(generation);
      out.writeInt(rows.size());
      for (int i = 0; i < rows.size(); i++) {
        out.writeShort(rows.get(i).length);
        out.write(rows.get(i));
        if (kind == Kind.DROP) {
          out.writeLong(timestamps.get(i));
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("A stream to memory failed.", e);
    }
    return bytes.toByteArray();
  }

  /**
   * The request that a Get carries; null for any other Get.
   *
   * @throws DoNotRetryIOException when the attribute cannot be decoded, such as one of a later
   *     version of Rowguard
   */
  public static RelayoutRequest of(Get get) throws DoNotRetryIOException {
    byte[] bytes = get.getAttribute(ATTRIBUTE);
    if (bytes == null) {
      return null;
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      RelayoutRequest request = decoded(in);
      if (in.read() < 0) {
        return request;
      }
    } catch (IllegalArgumentException | IOException e) {
      throw notUnderstood(e);
    }
    throw notUnderstood(null);
  }

  private static RelayoutRequest decoded(DataInputStream in) throws IOException {
    Kind kind = Kind.valueOf(in.readUTF());
    long generation = in.readLong();
    int count = in.readInt();
    if (count < 0) {
      throw new IOException("There is no such number of rows. count=" + count);
    }
    List<byte[]> rows = new ArrayList<>();
    List<Long> timestamps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] row = new byte[in.readUnsignedShort()];
      in.readFully(row);
      rows.add(row);
      if (kind == Kind.DROP) {
        timestamps.add(in.readLong());
      }
    }
    return new RelayoutRequest(kind, generation, rows, timestamps);
  }

  private static DoNotRetryIOException notUnderstood(Exception cause) {
    return new DoNotRetryIOException(
        "This server does not understand what it is asked about a change of the table's layout;"
            + " the one that asks may be of a later version.",
        cause);
  }

  @Override
  public String toString() {
    return kind + " generation=" + generation + " rows=" + rows.size();
  }
}
