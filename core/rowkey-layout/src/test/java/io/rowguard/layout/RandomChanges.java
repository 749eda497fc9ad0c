package io.rowguard.layout;

import io.rowguard.layout.SlowModel.Lit;
import io.rowguard.layout.SlowModel.Piece;
import io.rowguard.layout.SlowModel.Seg;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;

/** Random layouts that have the bare keys of another: something else is derived in them. */
final class RandomChanges {
  private final Random random;
  private final RandomLayouts layouts;
  private final BiFunction<String, List<Seg>, Seg> derived;

  /** Changes with derived segments that {@code derived} makes of a name and the plain ones. */
  RandomChanges(Random random, BiFunction<String, List<Seg>, Seg> derived) {
    this.random = random;
    this.layouts = new RandomLayouts(random);
    this.derived = derived;
  }

  /** The derived segment differs, or its place, or its values; or all is the same. */
  SlowModel other(SlowModel model) {
    return switch (model.hasDerived() ? random.nextInt(3) : 2) {
      case 0 -> otherDerivations(model);
      case 1 -> moved(model);
      default -> otherwiseSalted(model);
    };
  }

  private SlowModel otherwiseSalted(SlowModel model) {
    List<Piece> pieces = new ArrayList<>(model.bare().pieces);
    // Not of an optional segment: a remainder and a step are of one that all rows have.
    List<Seg> plain = model.bare().segs().stream().filter(seg -> !seg.optional).toList();
    int count = random.nextInt(4) == 0 ? 2 : model.hasDerived() ? random.nextInt(2) : 1;
    for (int i = 0; i < count; i++) {
      Seg seg = derived.apply("q" + i + "-salt", plain);
      Lit literal = random.nextBoolean() ? new Lit(layouts.literal()) : null;
      insert(pieces, seg, literal, random.nextInt(3) > 0);
    }
    return new SlowModel(pieces).withTextHashesOfTexts();
  }

  private SlowModel moved(SlowModel model) {
    List<Piece> pieces = new ArrayList<>(model.bare().pieces);
    for (int i = 0; i < model.pieces.size(); i++) {
      Seg seg = model.pieces.get(i).seg();
      if (seg != null && seg.isDerived()) {
        insert(pieces, seg, model.literalAfter(i), false);
      }
    }
    return new SlowModel(pieces).withTextHashesOfTexts();
  }

  private void insert(List<Piece> pieces, Seg seg, Lit literal, boolean first) {
    List<Integer> places = places(pieces);
    int at = places.get(first ? 0 : random.nextInt(places.size()));
    if (literal != null) {
      pieces.add(at, literal);
    }
    pieces.add(at, seg);
  }

  /** Where one changes no bare key: before a segment that all rows have, or at a fixed end. */
  private static List<Integer> places(List<Piece> pieces) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < pieces.size(); i++) {
      if (pieces.get(i).seg() != null && !pieces.get(i).seg().optional) {
        places.add(i);
      }
    }
    Seg last = pieces.get(pieces.size() - 1).seg();
    if (last == null || (last.isFixed() && !last.optional)) {
      places.add(pieces.size());
    }
    return places;
  }

  private SlowModel otherDerivations(SlowModel model) {
    List<Piece> pieces = new ArrayList<>();
    for (Piece piece : model.pieces) {
      boolean same = piece.seg() == null || !piece.seg().isDerived() || random.nextInt(4) == 0;
      pieces.add(same ? piece : otherwiseDerived(piece.seg()));
    }
    return new SlowModel(pieces).withTextHashesOfTexts();
  }

  private Seg otherwiseDerived(Seg seg) {
    SlowSource source = seg.source;
    int buckets = source.isModulo() ? 2 + random.nextInt(source.buckets() - 1) : 0;
    return new Seg(
        seg.name,
        seg.kind,
        seg.min,
        seg.max,
        random.nextInt(4) == 0,
        new SlowSource(source.hash(), source.names(), buckets).saying(source.said()));
  }
}
