package io.rowguard.layout;

import io.rowguard.layout.SlowModel.Kind;
import io.rowguard.layout.SlowModel.Lit;
import io.rowguard.layout.SlowModel.Piece;
import io.rowguard.layout.SlowModel.Seg;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random layouts so small that all their rows can be listed: at most 20,000 of them. */
final class SmallLayouts {
  private static final int[] SIZES = {20, 300, 300, 1500, 1500, 10_000, 20_000};
  private static final Map<String, List<byte[]>> CONTENTS = new HashMap<>();

  private final Random random;
  private final RandomLayouts layouts;

  SmallLayouts(Random random) {
    this.random = random;
    this.layouts = new RandomLayouts(random);
  }

  SlowModel next() {
    int size = SIZES[random.nextInt(SIZES.length)];
    List<Seg> segs = new ArrayList<>();
    for (int attempt = 0; attempt < 5 && segs.size() < 4; attempt++) {
      boolean variable = attempt == 0 && size >= 10_000;
      Seg seg = variable ? wordOfAnyLength() : plain("p" + attempt);
      int rows = contents(seg).size();
      if (rows <= size) {
        segs.add(random.nextInt(segs.size() + 1), seg);
        size /= rows;
      }
    }
    if (segs.isEmpty()) {
      segs.add(new Seg("p", Kind.DIGITS, 1, 1, false, null));
    }
    List<Seg> plain = List.copyOf(segs);
    for (int attempt = 0; attempt < 3 && random.nextBoolean(); attempt++) {
      Seg seg = derived("s" + attempt, plain);
      int rows = contents(seg).size();
      if (rows <= size) {
        segs.add(random.nextInt(3) > 0 ? 0 : random.nextInt(segs.size() + 1), seg);
        size /= rows;
      }
    }
    return layouts.withOptional(new SlowModel(withLiterals(segs)).withTextHashesOfTexts());
  }

  private List<Piece> withLiterals(List<Seg> segs) {
    List<Piece> pieces = new ArrayList<>();
    if (random.nextInt(8) == 0) {
      pieces.add(new Lit(layouts.literal()));
    }
    for (int i = 0; i < segs.size(); i++) {
      pieces.add(segs.get(i));
      boolean mustEnd = !segs.get(i).endsByItself() && i < segs.size() - 1;
      if (mustEnd || random.nextInt(3) == 0) {
        boolean overlapping = !segs.get(i).isFixed() && random.nextBoolean();
        pieces.add(new Lit(overlapping ? layouts.overlappingLiteral() : layouts.literal()));
      }
    }
    return pieces;
  }

  private Seg wordOfAnyLength() {
    return new Seg("w", Kind.WORD, 1, 2, random.nextBoolean(), null);
  }

  private Seg plain(String name) {
    boolean modified = random.nextInt(3) == 0;
    int n = 1 + random.nextInt(2);
    if (random.nextInt(8) == 0) {
      return withLength(name);
    }
    return switch (random.nextInt(13)) {
      case 10 -> new Seg(name, Kind.INT8, 1, 1, modified, null);
      case 11 -> new Seg(name, Kind.TEXT, 1, n, false, null).turned();
      case 12 -> new Seg(name, Kind.BYTES, 1, 1, false, null).turned();
      case 0, 1 -> new Seg(name, Kind.HEX, n, n, modified, null);
      case 2 -> new Seg(name, Kind.UPPER_HEX, 1, 1, modified, null);
      case 3 -> new Seg(name, Kind.DIGITS, random.nextInt(3) == 0 ? 1 : n, n, modified, null);
      case 4 -> new Seg(name, Kind.DIGITS, n, n, false, null).descendingFrom(layouts.minuend(n));
      case 5 -> new Seg(name, Kind.WORD, 1, n, modified, null);
      case 6 -> new Seg(name, Kind.TEXT, 1, n, modified, null);
      case 7 -> new Seg(name, Kind.TEXT, n, n, modified, null);
      case 8 -> new Seg(name, Kind.BYTES, 1, 1, modified, null);
      default -> new Seg(name, Kind.UINT8, 1, 1, modified, null);
    };
  }

  /** Values of few lengths, which stand in front of them. */
  private Seg withLength(String name) {
    int bytes = random.nextInt(4) == 0 ? 2 : 1;
    long plus = random.nextInt(3) > 0 ? 0 : bytes == 1 ? 127 : 300;
    Kind kind = random.nextBoolean() ? Kind.WORD : random.nextBoolean() ? Kind.TEXT : Kind.BYTES;
    int min = random.nextInt(2);
    Seg seg = new Seg(name, kind, min, 1 + min * random.nextInt(2), random.nextBoolean(), null);
    seg = seg.max == seg.min ? new Seg(name, kind, 0, 1, false, null) : seg;
    boolean isTurned = kind != Kind.WORD && random.nextInt(3) == 0;
    return (isTurned ? seg.turned() : seg).withLength(bytes, plus);
  }

  Seg derived(String name, List<Seg> plain) {
    boolean modified = random.nextInt(4) == 0;
    Seg one = plain.get(random.nextInt(plain.size()));
    List<String> names = random.nextInt(3) == 0 ? List.of() : List.of(one.name);
    if (plain.size() > 1 && random.nextInt(4) == 0) {
      names = List.of(plain.get(1).name, plain.get(0).name);
    }
    String hash = layouts.anyHash();
    if (SlowLayout.isNumeric(one) && random.nextInt(3) == 0) {
      names = List.of(one.name);
      hash = null;
    }
    int buckets = 2 + random.nextInt(8);
    int more = 2 + random.nextInt(15);
    Seg seg = derived(name, modified, hash, names, buckets, more);
    seg = hash == null ? seg : seg.from(layouts.saying(seg.source, plain));
    if (!seg.source.isModulo()) {
      return seg;
    }
    if (hash != null && random.nextInt(5) == 0) {
      return seg.from(layouts.quotient(seg.source));
    }
    int capacity = seg.kind == Kind.DIGITS ? (int) Math.pow(10, seg.min) : 16;
    return seg.from(layouts.extended(seg.source, plain, Math.min(40, capacity)));
  }

  private Seg derived(
      String name, boolean modified, String hash, List<String> names, int buckets, int more) {
    return switch (random.nextInt(hash == null ? 7 : 9)) {
      case 0, 1 -> salt(name, Kind.DIGITS, 1, modified, hash, names, buckets);
      case 2 -> salt(name, Kind.DIGITS, 2, modified, hash, names, more);
      case 3 -> salt(name, Kind.HEX, 1, modified, hash, names, more);
      case 4 -> salt(name, Kind.UPPER_HEX, 2, modified, hash, names, more);
      case 5 -> salt(name, Kind.UINT8, 1, modified, hash, names, buckets);
      case 6 -> bytesSalt(name, modified, hash, names, buckets);
      case 7 -> salt(name, Kind.HEX, 1, modified, hash, names, 0);
      default -> salt(name, Kind.UINT8, 1, modified, hash, names, 0);
    };
  }

  private Seg bytesSalt(
      String name, boolean modified, String hash, List<String> names, int buckets) {
    Seg seg = salt(name, Kind.BYTES, 2, modified, hash, names, buckets);
    return random.nextInt(3) == 0 ? seg.turned() : seg;
  }

  private static Seg salt(
      String name,
      Kind kind,
      int length,
      boolean modified,
      String hash,
      List<String> names,
      int buckets) {
    return new Seg(name, kind, length, length, modified, new SlowSource(hash, names, buckets));
  }

  /** A group that may be declared for a layout, or null, which is every row its own group. */
  String group(SlowModel model) {
    return layouts.group(model);
  }

  /** Everything that can stand in a segment, salts in their any-possible-value view. */
  static List<byte[]> contents(Seg seg) {
    if (seg.isDerived() && seg.source.isModulo()) {
      return SlowSegment.salts(seg);
    }
    return CONTENTS.computeIfAbsent(
        seg.kind
            + "."
            + seg.min
            + "."
            + seg.max
            + "."
            + seg.turned
            + "."
            + seg.lengthBytes
            + "."
            + seg.plus,
        key -> {
          List<byte[]> contents = new ArrayList<>();
          for (int length = seg.min; length <= seg.max; length++) {
            addContents(contents, seg.kind, new byte[0], length);
          }
          contents.replaceAll(bytes -> SlowSegment.upright(seg, bytes));
          contents.replaceAll(bytes -> SlowSegment.withLength(seg, bytes));
          return contents;
        });
  }

  private static void addContents(List<byte[]> to, Kind kind, byte[] start, int length) {
    if (start.length == length) {
      if (SlowSegment.checkAlphabet(kind, start).conforms()) {
        to.add(start);
      }
      return;
    }
    for (int c = 0; c <= 0xFF; c++) {
      addContents(to, kind, SlowBytes.append(start, c), length);
    }
  }

  /** Every row of the layout in the any-possible-salt view, in no order. */
  static List<byte[]> rows(SlowModel model) {
    List<byte[]> rows = new ArrayList<>(List.of(new byte[0]));
    List<byte[]> withoutTail = List.of();
    List<byte[]> withoutInner = List.of();
    for (int i = 0; i < model.pieces.size(); i++) {
      Piece piece = model.pieces.get(i);
      withoutTail = i == model.tail() ? rows : withoutTail;
      withoutInner = model.isInner(i + 1) ? rows : withoutInner;
      List<byte[]> pieces = piece instanceof Lit lit ? List.of(lit.bytes) : contents(piece.seg());
      List<byte[]> longer = new ArrayList<>();
      for (byte[] row : rows) {
        pieces.forEach(bytes -> longer.add(SlowBytes.concat(row, bytes)));
      }
      rows = longer;
      if (model.isInner(i)) {
        rows.addAll(withoutInner);
      }
    }
    rows.addAll(withoutTail);
    SlowLayout layout = new SlowLayout(model);
    rows.removeIf(row -> !layout.readWithAnySalt(row).conforms());
    return rows;
  }
}
