package io.rowguard.layout;

import io.rowguard.layout.SlowModel.Lit;
import io.rowguard.layout.SlowModel.Piece;
import io.rowguard.layout.SlowModel.Seg;
import io.rowguard.layout.SlowModel.Source;
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

  /** Sometimes only the derivations differ, and sometimes nothing does. */
  SlowModel other(SlowModel model) {
    return random.nextInt(3) == 0 ? otherDerivations(model) : otherPlaces(model);
  }

  private SlowModel otherPlaces(SlowModel model) {
    List<Piece> pieces = new ArrayList<>(model.bare().pieces);
    List<Seg> plain = model.bare().segs();
    int count = random.nextInt(4) == 0 ? 2 : model.hasDerived() ? random.nextInt(2) : 1;
    for (int i = 0; i < count; i++) {
      List<Integer> places = places(pieces);
      int at = random.nextInt(3) > 0 ? places.get(0) : places.get(random.nextInt(places.size()));
      Seg seg = derived.apply("q" + i + "-salt", plain);
      if (random.nextBoolean()) {
        pieces.add(at, new Lit(layouts.literal()));
      }
      pieces.add(at, seg);
    }
    return new SlowModel(pieces);
  }

  /** Where a derived segment changes no bare key: before a segment, or at a fixed end. */
  private static List<Integer> places(List<Piece> pieces) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < pieces.size(); i++) {
      if (pieces.get(i).seg() != null) {
        places.add(i);
      }
    }
    Seg last = pieces.get(pieces.size() - 1).seg();
    if (last == null || last.isFixed()) {
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
    return new SlowModel(pieces);
  }

  private Seg otherwiseDerived(Seg seg) {
    Source source = seg.source;
    int buckets = source.isModulo() ? 2 + random.nextInt(source.buckets() - 1) : 0;
    return new Seg(
        seg.name,
        seg.kind,
        seg.min,
        seg.max,
        random.nextInt(4) == 0,
        new Source(source.hash(), source.names(), buckets));
  }
}
