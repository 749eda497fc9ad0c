package io.rowguard.layout;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Reads how a derived segment gets its value: what stands after its {@code =}, up to the brace. */
final class DerivationParser {
  private static final int MOST_INPUTS = 64;

  private static final String HASHES = "md5, murmur3, crc32, java31, string31, sha1 or sha256";

  private final LayoutText in;
  private final LayoutRules rules;

  DerivationParser(LayoutText in, LayoutRules rules) {
    this.in = in;
    this.rules = rules;
  }

  /**
   * Reads a derivation.
   *
   * @param segment the derived segment, whose type was read at {@code typeColumn}
   */
  Derivation parse(Segment segment, int typeColumn) {
    SegmentType type = segment.type();
    if (segment.isDescendingFrom()) {
      throw in.error(
          typeColumn,
          LayoutRules.quoted(type.toString()),
          "digits that are not descending: the segment is derived");
    }
    Derivation first = any() ? anyOf(type, typeColumn) : term(type, typeColumn);
    in.blanks();
    if (!first.hasBuckets() || first.isQuotient()) {
      return first;
    }
    Derivation derivation = first;
    if (in.charAt(in.pos) == '+' && !first.isAny()) {
      in.pos++;
      in.blanks();
      derivation = first.plus(summand(first.buckets()));
      in.blanks();
    }
    return in.charAt(in.pos) == ',' ? steps(derivation, type) : derivation;
  }

  /** Reads {@code any of}, if that stands here; a segment may be called any, too. */
  private boolean any() {
    int start = in.pos;
    if (in.letters().equals("any")) {
      in.blanks();
      if (LayoutText.isLower(in.charAt(in.pos))) {
        in.word("of", "of, and the number of buckets");
        return true;
      }
    }
    in.pos = start;
    return false;
  }

  private Derivation anyOf(SegmentType type, int typeColumn) {
    int bucketsColumn = in.pos;
    int buckets = buckets();
    rules.buckets(type, buckets, bucketsColumn);
    rules.derived(type, null, buckets, typeColumn);
    return Derivation.any(buckets);
  }

  /** A hash or a name, and the number of buckets if there is one. */
  private Derivation term(SegmentType type, int typeColumn) {
    int sourceColumn = in.pos;
    Derivation source = source();
    Remainder remainder = remainder(source.hash());
    int buckets = Derivation.NO_BUCKETS;
    if (in.charAt(in.pos) == '%') {
      in.pos++;
      in.blanks();
      int bucketsColumn = in.pos;
      buckets = buckets();
      rules.buckets(type, buckets, bucketsColumn);
    } else if (in.charAt(in.pos) == '/' && source.hash() != null) {
      return quotient(source, sourceColumn, remainder, type, typeColumn);
    } else if (source.hash() == null) {
      throw in.error(in.pos, in.found(), "% and the number of buckets (a bare name needs them)");
    } else if (remainder != null) {
      throw in.error(in.pos, in.found(), "% and the number of buckets, or / and a divisor");
    }
    rules.derived(type, source.hash(), buckets, typeColumn);
    return divided(source, sourceColumn, remainder, buckets);
  }

  /** Reads from the slash to after the divisor. */
  private Derivation quotient(
      Derivation source, int sourceColumn, Remainder named, SegmentType type, int typeColumn) {
    Remainder remainder = named == null ? source.hash().remainder() : named;
    if (!remainder.hasQuotients()) {
      throw in.error(in.pos, in.found(), "%; of floor, quotients are negative");
    }
    in.pos++;
    in.blanks();
    rules.derived(type, source.hash(), Derivation.MIN_BUCKETS, typeColumn);
    long smallest = remainder.smallestDivisor(rules.mostBuckets(type));
    long divisor =
        in.number(
            smallest,
            remainder.largest(),
            "a divisor that leaves at most the " + rules.mostBuckets(type) + " values of " + type);
    rules.hashSource(source, sourceColumn);
    return Derivation.quotient(source.hash(), remainder, source.hashInputs(), divisor);
  }

  /** The addend of a term of so many buckets. */
  private Derivation summand(int mostBuckets) {
    boolean isAny = any();
    int sourceColumn = in.pos;
    Derivation source = isAny ? null : source();
    Remainder remainder = isAny ? null : remainder(source.hash());
    if (!isAny) {
      in.expect('%', "% and the number of buckets");
      in.blanks();
    }
    int bucketsColumn = in.pos;
    int buckets = buckets();
    if (buckets > mostBuckets) {
      throw in.error(
          bucketsColumn,
          LayoutRules.quoted("" + buckets),
          "at most " + mostBuckets + ", the buckets of the first term");
    }
    return isAny ? Derivation.any(buckets) : divided(source, sourceColumn, remainder, buckets);
  }

  /** The term of a source that was read at a column, and of what is taken of it. */
  private Derivation divided(Derivation source, int column, Remainder remainder, int buckets) {
    if (source.hash() == null) {
      rules.numberSource(source.inputs().get(0), column);
      return new Derivation(null, null, source.hashInputs(), buckets);
    }
    rules.hashSource(source, column);
    boolean isUsual = remainder == null && buckets != Derivation.NO_BUCKETS;
    return new Derivation(
        source.hash(),
        isUsual ? source.hash().remainder() : remainder,
        source.hashInputs(),
        buckets);
  }

  /** Reads which remainder of a hash is taken; null where none is named. */
  private Remainder remainder(Hash hash) {
    int column = in.pos;
    if (hash == null || !LayoutText.isLower(in.charAt(column))) {
      return null;
    }
    String word = in.letters();
    for (Remainder remainder : Remainder.values()) {
      if (remainder.text().equals(word)) {
        in.blanks();
        return remainder;
      }
    }
    throw in.error(column, LayoutRules.quoted(word), "unsigned, masked, abs, floor, %, / or }");
  }

  /** A hash or a name, up to the sign after it. */
  private Derivation source() {
    int column = in.pos;
    String word = in.name("a hash such as murmur3(...), a segment name, or any of");
    in.blanks();
    Hash hash = null;
    List<HashInput> inputs = new ArrayList<>();
    if (in.charAt(in.pos) == '(') {
      hash = hash(word, column);
      in.pos++;
      inputs = inputs();
      in.blanks();
    } else {
      inputs.add(HashInput.of(word));
      rules.input(word, column);
    }
    return new Derivation(hash, null, inputs, Derivation.NO_BUCKETS);
  }

  private int buckets() {
    return in.number(Derivation.MIN_BUCKETS, Derivation.MAX_BUCKETS, "a number of buckets");
  }

  /** Reads from the first comma to after the last step. */
  private Derivation steps(Derivation derivation, SegmentType type) {
    List<BucketStep> steps = new ArrayList<>();
    String segment = null;
    int before = derivation.buckets();
    while (in.charAt(in.pos) == ',') {
      if (steps.size() == Derivation.MAX_STEPS) {
        throw in.error(in.pos, in.found(), "}: " + Derivation.MAX_STEPS + " steps at most");
      }
      in.pos++;
      in.blanks();
      int bucketsColumn = in.pos;
      int buckets = buckets();
      if (buckets <= before) {
        throw in.error(
            bucketsColumn, LayoutRules.quoted("" + buckets), "more than the " + before + " before");
      }
      rules.buckets(type, buckets, bucketsColumn);
      in.blanks();
      in.word("from", "from, and the value of a segment");
      int segmentColumn = in.pos;
      String name = in.name("the name of a segment");
      if (segment != null && !segment.equals(name)) {
        throw in.error(
            segmentColumn, LayoutRules.quoted(name), segment + ", as in the step before");
      }
      segment = name;
      in.blanks();
      in.expect('=', "= and a value");
      in.blanks();
      int valueColumn = in.pos;
      BigInteger value = in.wholeNumber();
      BigInteger last = steps.isEmpty() ? null : steps.get(steps.size() - 1).from();
      if (last != null && value.compareTo(last) <= 0) {
        throw in.error(
            valueColumn, LayoutRules.quoted(value.toString()), "more than the " + last + " before");
      }
      rules.step(segment, segmentColumn, value, valueColumn);
      steps.add(new BucketStep(buckets, value));
      before = buckets;
      in.blanks();
    }
    return derivation.withSteps(segment, steps);
  }

  private Hash hash(String word, int column) {
    for (Hash hash : Hash.values()) {
      if (hash.text().equals(word)) {
        return hash;
      }
    }
    throw in.error(column, LayoutRules.quoted(word), HASHES);
  }

  /** Reads from after the opening parenthesis to after the closing one. */
  private List<HashInput> inputs() {
    List<HashInput> inputs = new ArrayList<>();
    in.blanks();
    if (in.charAt(in.pos) == '*') {
      in.pos++;
      in.blanks();
      in.expect(')', ")");
      return inputs;
    }
    while (true) {
      int column = in.pos;
      HashInput next = input(inputs.isEmpty() ? "* or a segment name" : "a segment name");
      if (inputs.contains(next)) {
        throw in.error(column, LayoutRules.quoted(next.toString()), "what is not hashed already");
      }
      if (inputs.size() == MOST_INPUTS) {
        throw in.error(
            column, LayoutRules.quoted(next.toString()), MOST_INPUTS + " inputs at most");
      }
      inputs.add(next);
      if (in.charAt(in.pos) != ',') {
        in.expect(')', ", or )");
        return inputs;
      }
      in.pos++;
      in.blanks();
    }
  }

  /** Reads what goes into a hash of one segment, up to the sign after it. */
  private HashInput input(String expected) {
    int first = HashInput.ALL;
    int column = in.pos;
    String name = in.name(expected);
    in.blanks();
    if (name.equals("first") && LayoutText.isDigit(in.charAt(in.pos))) {
      first = in.number(1, RowkeyLayout.MAX_ROW_LENGTH, "a number of bytes");
      in.blanks();
      in.word("of", "of, and a segment name");
      column = in.pos;
      name = in.name("a segment name");
      in.blanks();
    }
    rules.input(name, column);
    HashInput.Form form = HashInput.Form.STORED;
    if (LayoutText.isLower(in.charAt(in.pos))) {
      in.word("as", "as, a comma or )");
      form = form();
    }
    HashInput input = HashInput.of(name, form, first);
    rules.hashInput(input, column);
    return input;
  }

  private HashInput.Form form() {
    int column = in.pos;
    String word = in.letters();
    in.blanks();
    for (HashInput.Form form : HashInput.Form.values()) {
      if (form != HashInput.Form.STORED && form.text().equals(word)) {
        return form;
      }
    }
    throw in.error(
        column, word.isEmpty() ? in.found() : LayoutRules.quoted(word), "text, decimal or long");
  }
}
