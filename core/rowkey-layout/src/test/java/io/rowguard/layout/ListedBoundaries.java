package io.rowguard.layout;

import io.rowguard.layout.SlowModel.Piece;
import io.rowguard.layout.SlowModel.Seg;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The boundaries of a small layout by their definition: list every row, cut each at every place up
 * to its group's end, and keep the cuts that show no salt known to be wrong.
 */
final class ListedBoundaries {
  /** All rows, any possible salt taken for right. */
  final TreeSet<byte[]> rows = new TreeSet<>(SlowBytes::compare);

  /** The rows whose salts are right. */
  final TreeSet<byte[]> conforming = new TreeSet<>(SlowBytes::compare);

  /** Legal boundaries; the value is the least index from which no byte is of a variable segment. */
  final TreeMap<byte[], Integer> legal = new TreeMap<>(SlowBytes::compare);

  /** The first and the last row of each group, by the bytes that its rows agree on. */
  final TreeMap<byte[], byte[][]> groups = new TreeMap<>(SlowBytes::compare);

  private final SlowModel model;
  private final SlowLayout layout;
  private final List<byte[]> boundaryList;
  private final List<byte[]> rowList;

  ListedBoundaries(SlowModel model, String group) {
    this.model = model;
    this.layout = new SlowLayout(model);
    rows.addAll(SmallLayouts.rows(model));
    int lastPiece = layout.lastCutPiece(group);
    for (byte[] row : rows) {
      SlowLayout.Reading reading = layout.readWithAnySalt(row);
      byte[] right = layout.complete(layout.stripPieces(reading, row));
      if (Arrays.equals(right, row)) {
        conforming.add(row);
        addToGroup(
            SlowBytes.first(row, group == null ? row.length : groupEnd(reading, group)), row);
      }
      int cutEnd = Math.min(reading.ends.get(lastPiece), saneEnd(row, reading, right));
      for (int cut = 1; cut <= cutEnd; cut++) {
        legal.merge(SlowBytes.first(row, cut), variableEnd(reading, cut), Math::min);
      }
    }
    boundaryList = new ArrayList<>(legal.keySet());
    rowList = new ArrayList<>(rows);
  }

  private int groupEnd(SlowLayout.Reading reading, String group) {
    return reading.ends.get(model.indexOf(group));
  }

  private void addToGroup(byte[] group, byte[] row) {
    byte[][] range = groups.computeIfAbsent(group, unseen -> new byte[][] {row, row});
    range[1] = row;
  }

  /** The longest cut of a row that does not yet show a wrong salt for what it was derived from. */
  private int saneEnd(byte[] row, SlowLayout.Reading reading, byte[] right) {
    int last = model.pieces.size() - 1;
    Seg lastSeg = model.pieces.get(last).seg();
    boolean endless = lastSeg != null && !lastSeg.endsByItself();
    int end = row.length;
    for (Seg salt : model.segs()) {
      int piece = model.indexOf(salt.name);
      byte[] written = reading.of(piece, row);
      if (salt.isDerived() && !Arrays.equals(reading.of(piece, right), written)) {
        int shown = reading.ends.get(piece);
        for (Seg source : model.sourcesOf(salt)) {
          shown = Math.max(shown, completeAt(reading, source, row));
        }
        if (salt.source.needsWholeKey()) {
          boolean lacksTail = SlowLayout.lacksTail(reading, model);
          shown = endless || lacksTail ? Integer.MAX_VALUE : row.length;
        }
        end = Math.min(end, shown - 1);
      }
    }
    return end;
  }

  private int completeAt(SlowLayout.Reading reading, Seg source, byte[] row) {
    int piece = model.indexOf(source.name);
    boolean lacksTail = SlowLayout.lacksTail(reading, model);
    if (lacksTail && (piece >= model.tail() || model.endsBeforeTail(piece))) {
      return row.length + 1;
    }
    if (model.isInner(piece) && reading.start(piece) == reading.ends.get(piece)) {
      return reading.ends.get(piece + 1);
    }
    boolean isBeforeLacking =
        model.isInner(piece + 2) && reading.start(piece + 2) == reading.ends.get(piece + 2);
    if (isBeforeLacking && !source.endsByItself()) {
      return reading.ends.get(piece + 3);
    }
    if (source.endsByItself()) {
      return reading.ends.get(piece);
    }
    boolean last = model.literalAfter(piece) == null;
    return last ? row.length + 1 : reading.ends.get(piece + 1);
  }

  private int variableEnd(SlowLayout.Reading reading, int cut) {
    int end = 0;
    for (int i = 0; i < model.pieces.size(); i++) {
      Piece piece = model.pieces.get(i);
      boolean variable = piece.seg() != null && !piece.seg().isFixed();
      variable &= reading.start(i) < reading.ends.get(i);
      if (variable && reading.start(i) < cut) {
        end = Math.min(cut, reading.ends.get(i));
      }
    }
    return end;
  }

  byte[] floor(byte[] key) {
    NavigableMap<byte[], Integer> below = legal.headMap(key, true).descendingMap();
    for (var boundary : below.entrySet()) {
      if (boundary.getValue() <= key.length) {
        return boundary.getKey();
      }
    }
    return null;
  }

  byte[] ceiling(byte[] key) {
    return legal.higherKey(key);
  }

  byte[] successor(String group, byte[] row) {
    int end = layout.groupEnd(group, row);
    return ceiling(end < 0 ? row : groups.get(SlowBytes.first(row, end))[1]);
  }

  static boolean anyBetween(NavigableSet<byte[]> rows, byte[] start, byte[] end) {
    byte[] first = rows.ceiling(start);
    return first != null && (end.length == 0 || SlowBytes.compare(first, end) < 0);
  }

  /** A key of any sort: legal, nearly legal, a row, nearly a row, noise, nothing. */
  byte[] key(RandomRows mutations, Random random) {
    byte[] legalKey = boundaryList.get(random.nextInt(boundaryList.size()));
    byte[] row = rowList.get(random.nextInt(rowList.size()));
    switch (random.nextInt(10)) {
      case 0, 1:
        return legalKey;
      case 2:
        return row;
      case 3:
        return SlowBytes.first(row, random.nextInt(row.length + 1));
      case 4:
        return mutations.mutated(row);
      case 5, 6:
        return mutations.mutated(legalKey);
      case 7:
        byte[] near = legalKey.clone();
        near[near.length - 1] = (byte) (near[near.length - 1] + (random.nextBoolean() ? 1 : -1));
        return near;
      case 8:
        return SlowBytes.append(legalKey, random.nextBoolean() ? 0 : 0xFF);
      default:
        byte[] noise = new byte[random.nextInt(4)];
        random.nextBytes(noise);
        return noise;
    }
  }
}
