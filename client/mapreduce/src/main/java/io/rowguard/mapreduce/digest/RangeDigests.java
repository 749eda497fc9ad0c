package io.rowguard.mapreduce.digest;

import java.util.ArrayList;
import java.util.List;

/**
 * Digests of consecutive ranges of keys. Where a range begins is in the keys themselves: at each
 * key whose hash ends with at least as many zero bits as the level says. So tables with the same
 * keys have the same ranges, and where one lacks a key, the other ranges stay the same. The level
 * rises with the number of rows, so that there are never more ranges than asked for; at level 0
 * each key is a range. Keys come in ascending order. Not thread-safe.
 */
public final class RangeDigests {
  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final int most;
  private List<Range> ranges = new ArrayList<>();
  private int level;

  /**
   * @param most ranges, 1 or more
   */
  public RangeDigests(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("There is at least one range. most=" + most);
    }
    this.most = most;
  }

  /** A range of keys: from this one up to the next range's start. */
  public static final class Range {
    private final byte[] start;
    private final CellsDigest digest;

    Range(byte[] start, CellsDigest digest) {
      this.start = start;
      this.digest = digest;
    }

    /** The first key in it. */
    public byte[] start() {
      return start;
    }

    /** The digest of what lies in it. */
    public CellsDigest digest() {
      return digest;
    }
  }

  /**
   * The digest to which the row of a key is to be added.
   *
   * @param key above all keys so far; kept
   */
  CellsDigest at(byte[] key) {
    if (ranges.isEmpty() || levelOf(key) >= level) {
      ranges.add(new Range(key, new CellsDigest()));
      while (ranges.size() > most) {
        raiseTo(level + 1);
      }
    }
    return last().digest;
  }

  /**
   * Adds a range.
   *
   * @param start its first key, above all keys so far
   * @param atLevel the level at which it was cut off
   */
  public void add(byte[] start, int atLevel, CellsDigest digest) {
    raiseTo(atLevel);
    at(start).add(digest);
  }

  private Range last() {
    return ranges.get(ranges.size() - 1);
  }

  /** Joins the ranges that begin at keys of a lower level with those before them. */
  public void raiseTo(int higher) {
    if (higher <= level) {
      return;
    }
    level = higher;
    List<Range> former = ranges;
    ranges = new ArrayList<>();
    for (Range range : former) {
      if (ranges.isEmpty() || levelOf(range.start) >= level) {
        ranges.add(range);
      } else {
        last().digest.add(range.digest);
      }
    }
  }

  /** The level of the ranges. */
  public int level() {
    return level;
  }

  /** The ranges, in the order of their keys. */
  public List<Range> ranges() {
    return ranges;
  }

  /** The digest of all. */
  public CellsDigest total() {
    CellsDigest total = new CellsDigest();
    ranges.forEach(range -> total.add(range.digest));
    return total;
  }

  /**
   * The zero bits at the end of a key's hash, 0 to 64: FNV-1a, then the finalizer of MurmurHash3,
   * since FNV's lowest bits know little of the key's last bytes.
   */
  public static int levelOf(byte[] key) {
    long hash = FNV_BASIS;
    for (byte b : key) {
      hash = (hash ^ (b & 0xff)) * FNV_PRIME;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return Long.numberOfTrailingZeros(hash ^ (hash >>> 33));
  }
}
