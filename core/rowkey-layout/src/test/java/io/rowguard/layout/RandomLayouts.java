package io.rowguard.layout;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.rowguard.layout.SlowModel.Kind;
import io.rowguard.layout.SlowModel.Lit;
import io.rowguard.layout.SlowModel.Piece;
import io.rowguard.layout.SlowModel.Seg;
import io.rowguard.layout.SlowSource.Step;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Random valid layouts over the whole grammar: every type, modifier and derivation, and literals
 * that are several bytes, not ASCII, not UTF-8, specials of the grammar, or overlap themselves.
 */
final class RandomLayouts {
  private static final List<Kind> KINDS = List.of(Kind.values());
  private static final int[] BUCKETS = {2, 3, 7, 10, 16, 20, 100, 255, 256, 1000, 65536};
  private static final List<byte[]> LITERALS =
      List.of(
          "|".getBytes(UTF_8),
          "-".getBytes(UTF_8),
          "/".getBytes(UTF_8),
          "_".getBytes(UTF_8),
          "0".getBytes(UTF_8),
          "a".getBytes(UTF_8),
          "\\".getBytes(UTF_8),
          "{}".getBytes(UTF_8),
          " ".getBytes(UTF_8),
          "||".getBytes(UTF_8),
          "aa".getBytes(UTF_8),
          "aba".getBytes(UTF_8),
          "abab".getBytes(UTF_8),
          "aab".getBytes(UTF_8),
          "abac".getBytes(UTF_8),
          "000".getBytes(UTF_8),
          "00".getBytes(UTF_8),
          "x41".getBytes(UTF_8),
          "é".getBytes(UTF_8),
          "日本".getBytes(UTF_8),
          "=%,:".getBytes(UTF_8),
          "\0".getBytes(UTF_8),
          "\0\0".getBytes(UTF_8),
          "\u00FF".getBytes(ISO_8859_1),
          "\u0080".getBytes(ISO_8859_1),
          "\u00C3".getBytes(ISO_8859_1),
          "a\u00FFa".getBytes(ISO_8859_1));

  private final Random random;
  private List<String> names;

  RandomLayouts(Random random) {
    this.random = random;
  }

  SlowModel next() {
    int count = random.nextInt(8) == 0 ? 1 : 2 + random.nextInt(random.nextInt(3) == 0 ? 6 : 3);
    names = names(count);
    boolean[] derived = new boolean[count];
    boolean unsalted = count == 1 || random.nextInt(5) < 2;
    int salts = unsalted ? 0 : 1 + random.nextInt(Math.min(count - 1, 2));
    for (int i = 0; i < salts; i++) {
      derived[random.nextInt(count)] = true;
    }
    List<Seg> plain = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (!derived[i]) {
        plain.add(maybeTurned(plain(names.get(i), i == count - 1)));
      }
    }
    List<Piece> pieces = new ArrayList<>();
    maybeLiteral(pieces, 6);
    int nextPlain = 0;
    for (int i = 0; i < count; i++) {
      Seg seg = derived[i] ? maybeTurned(derived(names.get(i), plain)) : plain.get(nextPlain++);
      pieces.add(seg);
      boolean mustEnd = !seg.endsByItself() && i < count - 1;
      maybeLiteral(pieces, mustEnd ? 1 : seg.kind == Kind.BYTES && !seg.endsByItself() ? 0 : 3);
    }
    return withOptional(new SlowModel(pieces).withTextHashesOfTexts());
  }

  /** Sometimes with segments that rows may lack, at the end and before it. */
  SlowModel withOptional(SlowModel model) {
    SlowModel changed = maybeOptional(model);
    return random.nextInt(3) == 0 ? maybeInner(changed).withTextHashesOfTexts() : changed;
  }

  /** With a segment before the end that rows may lack, where the layout allows one. */
  private SlowModel maybeInner(SlowModel model) {
    List<byte[]> ends = new ArrayList<>();
    for (String end : List.of("|", "-", "/", ":", "_", "0", "a", "\0")) {
      ends.add(end.getBytes(UTF_8));
    }
    Collections.shuffle(ends, random);
    List<Piece> pieces = new ArrayList<>(model.pieces);
    List<Integer> places = new ArrayList<>();
    for (int i = 1; i < pieces.size(); i++) {
      int before = pieces.get(i - 1) instanceof Lit ? i - 2 : i - 1;
      Seg seg = pieces.get(i).seg();
      Seg first = before < 0 ? null : pieces.get(before).seg();
      boolean isPlain = seg != null && first != null && !seg.isDerived() && !first.isDerived();
      boolean isNext = i + 2 < pieces.size() && pieces.get(i + 2).seg() != null;
      boolean beforeOptional = isNext && pieces.get(i + 2).seg().optional;
      beforeOptional |=
          i + 1 < pieces.size()
              && pieces.get(i + 1).seg() != null
              && pieces.get(i + 1).seg().optional;
      if (isPlain && !seg.optional && !first.optional && !beforeOptional && canLack(model, seg)) {
        places.add(i);
      }
    }
    if (places.isEmpty()) {
      return model;
    }
    int place = places.get(random.nextInt(places.size()));
    Seg seg = pieces.get(place).seg();
    byte[] end = ends.get(1);
    boolean mayBegin =
        seg.isFixed()
            && !seg.isCharacters()
            && SlowSegment.checkAlphabet(seg, ofAll(end[0], seg.min)) == Verdict.CONFORMS;
    if (mayBegin) {
      return model;
    }
    pieces.set(place, seg.optional());
    if (place + 1 < pieces.size() && pieces.get(place + 1) instanceof Lit) {
      pieces.remove(place + 1);
    }
    pieces.add(place + 1, new Lit(end));
    if (pieces.get(place - 1) instanceof Lit) {
      pieces.set(place - 1, new Lit(ends.get(0)));
    } else {
      pieces.add(place, new Lit(ends.get(0)));
    }
    return new SlowModel(pieces);
  }

  private static byte[] ofAll(byte b, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, b);
    return bytes;
  }

  /** Whether rows may lack a segment: it has letters, and is not divided and decides nothing. */
  private static boolean canLack(SlowModel model, Seg seg) {
    boolean isLetters = !seg.kind.isNumber() && seg.kind != Kind.BYTES && !seg.hasLength();
    return isLetters && !isCounted(model, seg);
  }

  /** Sometimes with a last segment that rows may lack, where the layout allows one. */
  SlowModel maybeOptional(SlowModel model) {
    List<Piece> pieces = new ArrayList<>(model.pieces);
    if (pieces.get(pieces.size() - 1) instanceof Lit && pieces.size() > 2) {
      pieces.remove(pieces.size() - 1);
    }
    int last = pieces.size() - 1;
    int before = last > 0 && pieces.get(last - 1) instanceof Lit ? last - 2 : last - 1;
    boolean plain =
        before >= 0
            && pieces.get(before).seg() != null
            && !pieces.get(before).seg().isDerived()
            && pieces.get(last).seg() != null
            && !pieces.get(last).seg().isDerived();
    if (!plain || random.nextInt(3) > 0) {
      return model;
    }
    Seg seg = pieces.get(last).seg();
    if (isCounted(model, seg)) {
      return model;
    }
    pieces.set(last, seg.optional());
    return new SlowModel(pieces);
  }

  /** Whether a segment is divided, or decides on steps. */
  private static boolean isCounted(SlowModel model, Seg seg) {
    for (Seg derived : model.segs()) {
      SlowSource source = derived.source;
      boolean divides =
          source != null && source.hash() == null && source.names().contains(seg.name);
      SlowSource plus = source == null ? null : source.plus();
      divides |= plus != null && plus.hash() == null && plus.names().contains(seg.name);
      if (divides || (source != null && seg.name.equals(source.by()))) {
        return true;
      }
    }
    return false;
  }

  /** The same with a value that writers choose in some derived segments that are divided. */
  SlowModel withChoice(SlowModel model) {
    List<Piece> pieces = new ArrayList<>();
    boolean isFirst = true;
    for (Piece piece : model.pieces) {
      Seg seg = piece.seg();
      boolean canBe =
          seg != null && seg.isDerived() && seg.source.isModulo() && seg.source.divisor() == 0;
      boolean chosen = canBe && (isFirst || random.nextBoolean());
      pieces.add(chosen ? seg.from(withChoice(seg.source)) : piece);
      isFirst &= !chosen;
    }
    return new SlowModel(pieces);
  }

  private SlowSource withChoice(SlowSource source) {
    // The oracle lists all that may be chosen.
    if (source.most() <= 1000 && random.nextInt(3) > 0) {
      return SlowSource.any(source.buckets()).withSteps(source.by(), source.steps());
    }
    return source.plus(SlowSource.any(2 + random.nextInt(Math.min(source.buckets() - 1, 20))));
  }

  private Seg maybeTurned(Seg seg) {
    boolean canTurn = seg.kind == Kind.TEXT || seg.kind == Kind.BYTES;
    if (canTurn && random.nextInt(3) == 0) {
      return seg.turned();
    }
    boolean canBeFrom =
        seg.kind == Kind.DIGITS && !seg.isDerived() && seg.isFixed() && seg.min <= 19;
    return canBeFrom && random.nextInt(2) == 0 ? seg.descendingFrom(minuend(seg.min)) : seg;
  }

  /** A number that so many digits can be below, often one that people take. */
  BigInteger minuend(int digits) {
    BigInteger most = BigInteger.TEN.pow(digits).subtract(BigInteger.ONE);
    BigInteger longest = BigInteger.valueOf(Long.MAX_VALUE);
    if (digits == 19) {
      BigInteger least = most.add(BigInteger.valueOf(Long.MIN_VALUE));
      return random.nextBoolean() ? longest : least.add(new BigInteger(62, random));
    }
    BigInteger any = BigInteger.valueOf(random.nextLong()).mod(most).add(BigInteger.ONE);
    return switch (random.nextInt(4)) {
      case 0 -> most;
      case 1 -> longest.divide(BigInteger.TEN.pow(19 - digits));
      case 2 -> BigInteger.ONE;
      default -> any;
    };
  }

  /** A group that may be declared for a layout, or null, which is every row its own group. */
  String group(SlowModel model) {
    List<String> groups = model.groups();
    boolean none = groups.isEmpty() || random.nextInt(3) == 0;
    return none ? null : groups.get(random.nextInt(groups.size()));
  }

  private List<String> names(int count) {
    List<String> pool = new ArrayList<>(List.of("id", "salt", "a", "md5", "text", "x-1", "n-"));
    for (int i = 0; i < count; i++) {
      pool.add((char) ('b' + random.nextInt(25)) + "" + i);
    }
    Collections.shuffle(pool, random);
    return pool.subList(0, count);
  }

  private void maybeLiteral(List<Piece> pieces, int oneIn) {
    if (oneIn > 0 && random.nextInt(oneIn) == 0) {
      pieces.add(new Lit(literal()));
    }
  }

  /** A literal of word characters that overlaps itself. */
  byte[] overlappingLiteral() {
    String[] literals = {"aa", "000", "aba", "abab", "aab", "abac", "0101", "zz", "zzy"};
    return literals[random.nextInt(literals.length)].getBytes(UTF_8);
  }

  byte[] literal() {
    if (random.nextInt(6) == 0) {
      byte[] bytes = new byte[1 + random.nextInt(4)];
      random.nextBytes(bytes);
      return bytes;
    }
    return LITERALS.get(random.nextInt(LITERALS.size()));
  }

  private Seg plain(String name, boolean last) {
    Kind kind = KINDS.get(random.nextInt(KINDS.size()));
    if (random.nextInt(4) == 0) {
      kind = random.nextBoolean() ? Kind.TEXT : Kind.WORD;
    }
    boolean modified = random.nextInt(3) == 0;
    if (kind.isNumber()) {
      return new Seg(name, kind, kind.width(), kind.width(), modified, null);
    }
    int n = random.nextInt(40) == 0 ? 1 + random.nextInt(300) : 1 + random.nextInt(9);
    boolean sized = random.nextBoolean();
    boolean canHaveLength = kind == Kind.TEXT || kind == Kind.WORD || kind == Kind.BYTES;
    if (canHaveLength && random.nextInt(5) == 0) {
      return withLength(name, kind, n, modified);
    }
    if (kind == Kind.TEXT || kind == Kind.WORD) {
      int max = n + 1 + random.nextInt(12);
      return switch (random.nextInt(3)) {
        case 0 -> new Seg(name, kind, n, n, modified, null);
        case 1 -> new Seg(name, kind, n, max, modified, null);
        default -> new Seg(name, kind, 1, SlowModel.MAX_ROW, modified, null);
      };
    }
    if (kind == Kind.DIGITS && random.nextInt(4) == 0) {
      int most = random.nextInt(4) == 0 ? SlowModel.MAX_ROW : n + 1 + random.nextInt(12);
      return new Seg(name, kind, n, most, modified, null);
    }
    if (kind == Kind.BYTES && last && sized) {
      return new Seg(name, kind, 1, SlowModel.MAX_ROW, modified, null);
    }
    return new Seg(name, kind, n, n, modified, null);
  }

  /** Values of several lengths, which stand in front of them. */
  private Seg withLength(String name, Kind kind, int n, boolean modified) {
    int bytes = random.nextInt(3) > 0 ? 1 : random.nextBoolean() ? 2 : 4;
    int min = random.nextInt(2) * n % 100;
    int max = min + 1 + random.nextInt(12);
    Seg seg =
        random.nextInt(3) == 0
            ? new Seg(name, kind, 1, SlowModel.MAX_ROW, modified, null)
            : new Seg(name, kind, min, max, modified, null);
    long plus = random.nextInt(3) > 0 ? 0 : bytes == 1 ? 127 : 1 + random.nextInt(40_000);
    return seg.withLength(bytes, plus);
  }

  Seg derived(String name, List<Seg> plain) {
    List<Seg> numbers = plain.stream().filter(SlowLayout::isNumeric).toList();
    boolean ofNumber = !numbers.isEmpty() && random.nextInt(4) == 0;
    Kind[] kinds = {
      Kind.HEX,
      Kind.UPPER_HEX,
      Kind.DIGITS,
      Kind.BYTES,
      Kind.UINT8,
      Kind.UINT16,
      Kind.UINT32,
      Kind.UINT64
    };
    Kind kind = kinds[random.nextInt(kinds.length)];
    boolean modulo = ofNumber || kind == Kind.DIGITS || random.nextBoolean();
    String hash = anyHash();
    if (!modulo && kind == Kind.UINT64) {
      hash = List.of("md5", "sha1", "sha256").get(random.nextInt(3));
    }
    int buckets = modulo ? buckets(kind) : 0;
    List<String> sources =
        ofNumber ? List.of(numbers.get(random.nextInt(numbers.size())).name) : inputs(plain);
    SlowSource source = new SlowSource(ofNumber ? null : hash, sources, buckets);
    source = ofNumber ? source : saying(source, plain);
    if (modulo && !ofNumber && random.nextInt(5) == 0) {
      source = quotient(source);
    } else if (modulo) {
      source = extended(source, plain, kind == Kind.UINT8 ? 256 : 65536);
    }
    int length = kind.isNumber() ? kind.width() : derivedLength(kind, hash, source.most());
    boolean modified = random.nextInt(4) == 0;
    return new Seg(name, kind, length, length, modified, source);
  }

  /** The quotient of a hash instead of its remainder, with at most as many values. */
  SlowSource quotient(SlowSource source) {
    List<String> ways = List.of("unsigned", "masked", "abs");
    String way = ways.get(random.nextInt(ways.size()));
    long all = SlowHash.quotients(way, 65536) * 65536L;
    int most = 2 + random.nextInt(source.buckets() - 1);
    long divisor = random.nextInt(3) == 0 ? all / most : 1 + all / most;
    while (SlowHash.quotients(way, divisor) > source.buckets()) {
      divisor++;
    }
    return source.over(way, divisor);
  }

  /** Input of a hash: some segments, or the whole bare key. */
  private List<String> inputs(List<Seg> plain) {
    if (random.nextBoolean()) {
      return List.of();
    }
    List<Seg> some = new ArrayList<>(plain);
    Collections.shuffle(some, random);
    return some.subList(0, 1 + random.nextInt(some.size())).stream().map(seg -> seg.name).toList();
  }

  /** Sometimes with a second term, and sometimes with steps, of at most so many buckets. */
  SlowSource extended(SlowSource source, List<Seg> plain, int mostBuckets) {
    List<Seg> numbers = plain.stream().filter(SlowLayout::isNumeric).toList();
    SlowSource plus = null;
    if (random.nextInt(3) == 0) {
      int k = 2 + random.nextInt(Math.min(source.buckets() - 1, 20));
      boolean ofNumber = !numbers.isEmpty() && random.nextInt(4) == 0;
      plus =
          ofNumber
              ? new SlowSource(null, List.of(numbers.get(random.nextInt(numbers.size())).name), k)
              : divided(saying(new SlowSource(anyHash(), inputs(plain), k), plain));
    }
    SlowSource first = source.hash() == null ? source : divided(source);
    List<Step> steps = new ArrayList<>();
    Seg by = null;
    List<Seg> deciding = numbers.stream().filter(Seg::isFixed).toList();
    if (!deciding.isEmpty() && random.nextInt(3) == 0) {
      by = deciding.get(random.nextInt(deciding.size()));
      int buckets = source.buckets();
      for (BigInteger from : thresholds(by)) {
        int more = Math.min(mostBuckets, buckets + 1 + random.nextInt(2 * buckets));
        if (more > buckets) {
          steps.add(new Step(more, from));
          buckets = more;
        }
      }
    }
    String name = steps.isEmpty() ? null : by.name;
    return first.plus(plus).withSteps(name, steps);
  }

  /** Sometimes with the first bytes of a segment, or its value in a form that programs hash. */
  SlowSource saying(SlowSource source, List<Seg> plain) {
    if (random.nextInt(3) > 0) {
      return source;
    }
    List<String> said = new ArrayList<>();
    for (String name : source.names()) {
      Seg seg = plain.stream().filter(each -> each.name.equals(name)).findAny().orElseThrow();
      String cut = random.nextInt(3) == 0 ? "first " + (1 + random.nextInt(12)) + " of " : "";
      said.add(cut + name + form(seg));
    }
    return source.saying(said);
  }

  private String form(Seg seg) {
    boolean canBeLong = seg.isNumber() || (seg.kind == Kind.DIGITS && seg.max <= 18);
    return switch (random.nextInt(3)) {
      case 0 -> "";
      case 1 -> canBeLong ? " as long" : "";
      default ->
          seg.isNumber() || (seg.kind == Kind.DIGITS && random.nextBoolean())
              ? " as decimal"
              : " as text";
    };
  }

  private SlowSource divided(SlowSource source) {
    String way = SlowHash.WAYS.get(random.nextInt(SlowHash.WAYS.size()));
    return random.nextInt(3) == 0 ? source.dividedBy(way) : source;
  }

  String anyHash() {
    return SlowHash.NAMES.get(random.nextInt(SlowHash.NAMES.size()));
  }

  /** One to eight values of a segment, ascending, none of them its smallest. */
  private Set<BigInteger> thresholds(Seg by) {
    int digits = by.kind == Kind.DIGITS ? Math.min(by.min, 40) : 0;
    int bits = 8 * by.kind.width() - (by.kind == Kind.MILLIS ? 1 : 0);
    BigInteger all = digits > 0 ? BigInteger.TEN.pow(digits) : BigInteger.ONE.shiftLeft(bits);
    BigInteger smallest =
        by.kind.isSigned() ? BigInteger.ONE.shiftLeft(bits - 1).negate() : BigInteger.ZERO;
    smallest = by.from == null ? smallest : by.from.add(BigInteger.ONE).subtract(all);
    Set<BigInteger> thresholds = new TreeSet<>();
    int count = random.nextInt(6) == 0 ? 8 : 1 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      BigInteger above = new BigInteger(all.bitLength(), random).mod(all);
      BigInteger few = BigInteger.valueOf(1 + random.nextInt(3));
      above = random.nextInt(6) == 0 ? few.min(all.subtract(BigInteger.ONE)) : above;
      above = random.nextInt(8) == 0 ? all.subtract(BigInteger.ONE) : above;
      if (above.signum() > 0) {
        thresholds.add(smallest.add(above));
      }
    }
    return thresholds;
  }

  private int buckets(Kind kind) {
    int buckets = BUCKETS[random.nextInt(BUCKETS.length)];
    return kind == Kind.UINT8 ? Math.min(buckets, 256) : buckets;
  }

  private int derivedLength(Kind kind, String hash, int buckets) {
    if (buckets == 0) {
      int digest = SlowHash.digest(hash, new byte[0]).length;
      return 1 + random.nextInt(kind == Kind.BYTES ? digest : 2 * digest);
    }
    int base = kind == Kind.DIGITS ? 10 : kind == Kind.BYTES ? 256 : 16;
    int length = 1;
    while (BigInteger.valueOf(base).pow(length).intValue() < buckets) {
      length++;
    }
    return length + (random.nextInt(4) == 0 ? random.nextInt(4) : 0);
  }
}
