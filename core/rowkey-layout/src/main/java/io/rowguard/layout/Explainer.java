package io.rowguard.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds out where a row that the check refused goes wrong, and which row would be right. It walks
 * the same {@link PartMatcher}s as the check, so the two cannot disagree on the verdict.
 */
final class Explainer {
  private static final String[] SMALL_NUMBERS = {
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"
  };

  private final RowkeyLayout layout;
  private final RowMatcher matcher;
  private final byte[] row;

  Explainer(RowkeyLayout layout, byte[] row) {
    this.layout = layout;
    this.matcher = layout.matcher();
    this.row = row;
  }

  /** The explanation of a verdict, which is the check's on this row. */
  Explanation explain(Verdict verdict) {
    byte[] suggestion = verdict.conforms() ? null : suggestion(verdict);
    return new Explanation(layout, row, verdict, find(verdict), suggestion);
  }

  /** The right row, where only what is derived is missing or wrong; else null. */
  private byte[] suggestion(Verdict verdict) {
    boolean tooLong = row.length > layout.rowLengthLimit();
    boolean isDetermined = layout.hasDerivedSegments() && !layout.hasChoice();
    if (!isDetermined || row.length == 0 || tooLong) {
      return null;
    }
    // In an ambiguous layout a row whose salt is wrong may look like a bare key too; but it is a
    // salted row, and one salt is enough.
    byte[] completed = verdict == Verdict.WRONG_SALT ? null : layout.completeIfBare(row);
    if (completed != null) {
      return completed;
    }
    RowMatcher lenient = new RowMatcher(withDerivedAsBytes());
    if (lenient.match(row, 0, row.length) != Verdict.CONFORMS) {
      return null;
    }
    byte[] right = row.clone();
    layout.writeDerived(right, 0, right.length);
    return layout.check(right).conforms() ? right : null;
  }

  private List<Part> withDerivedAsBytes() {
    List<Part> lenient = new ArrayList<>();
    for (Part part : layout.parts()) {
      if (part instanceof Segment && ((Segment) part).isDerived()) {
        Segment segment = (Segment) part;
        int length = segment.minLength();
        SegmentType any = SegmentType.of(SegmentType.Kind.BYTES, length, length);
        lenient.add(new Segment(segment.name(), any, Segment.Modifier.NONE, null));
      } else {
        lenient.add(part);
      }
    }
    return lenient;
  }

  private Explanation.Mismatch find(Verdict verdict) {
    int maxRowLength = layout.rowLengthLimit();
    switch (verdict) {
      case CONFORMS:
        return new Explanation.Mismatch(null, -1, "nothing is wrong", "", new byte[0]);
      case EMPTY_ROW:
        return new Explanation.Mismatch(null, 0, "the row is empty", "a row", new byte[0]);
      case TOO_LONG:
        return new Explanation.Mismatch(
            null,
            maxRowLength,
            "the row has " + row.length + " bytes, more than the " + maxRowLength + " allowed",
            "at most " + maxRowLength + " bytes",
            rest(maxRowLength));
      case WRONG_SALT:
        return wrongSalt();
      default:
        return wrongPart();
    }
  }

  private Explanation.Mismatch wrongPart() {
    int pos = 0;
    for (int i = 0; i < matcher.partCount(); i++) {
      if (i == matcher.required() && pos == row.length) {
        break;
      }
      if (matcher.lacksInner(i, row, pos, row.length)) {
        if (matcher.part(i + 2).match(row, pos, row.length) < 0) {
          return neitherLiteral(i, pos);
        }
        i++;
        continue;
      }
      int next = matcher.part(i).match(row, pos, row.length);
      if (next < 0) {
        return wrongAt(i, pos, Verdict.ofFailure(next));
      }
      pos = next;
    }
    int left = row.length - pos;
    return new Explanation.Mismatch(
        null,
        pos,
        left + (left == 1 ? " byte is" : " bytes are") + " left over after the last part",
        "the end of the row",
        rest(pos));
  }

  private Explanation.Mismatch wrongAt(int index, int pos, Verdict verdict) {
    Part part = matcher.part(index).part();
    if (part instanceof Literal) {
      return missingLiteral(index, pos);
    }
    Segment segment = (Segment) part;
    int end = segmentEnd(index, pos);
    if (segment.hasLength()
        && (verdict == Verdict.SEGMENT_TOO_SHORT || verdict == Verdict.SEGMENT_TOO_LONG)) {
      String than = verdict == Verdict.SEGMENT_TOO_SHORT ? "short" : "long";
      byte[] length = Arrays.copyOfRange(row, pos, pos + segment.lengthBytes());
      return finding(
          segment, pos, "segment " + segment.name() + " is too " + than + " by its length", length);
    }
    byte[] found = Arrays.copyOfRange(row, pos, end);
    String subject = "segment " + segment.name();
    switch (verdict) {
      case TOO_SHORT:
        return finding(
            segment, row.length, "the row ends before " + subject + " is complete", found);
      case SEGMENT_TOO_SHORT:
        return finding(segment, end, subject + (end == pos ? " is empty" : " is too short"), found);
      case SEGMENT_TOO_LONG:
        return finding(segment, pos + part.maxLength(), subject + " is too long", found);
      case LITERAL_MISSING:
        return unterminated(index, segment, pos);
      case LITERAL_INSIDE:
        Literal literal = literalAfter(index);
        return new Explanation.Mismatch(
            segment.name(),
            ByteRanges.indexOf(row, pos, end, literal.shared()),
            subject + " contains the literal \"" + text(literal) + "\" that follows it",
            segment.expectation() + " without \"" + text(literal) + "\"",
            found);
      default:
        int start = pos + segment.lengthBytes();
        return finding(segment, segment.firstWrong(row, start, end), isNot(segment), found);
    }
  }

  /** Neither the literal before an optional segment stands here nor the one after it. */
  private Explanation.Mismatch neitherLiteral(int index, int pos) {
    String before = text((Literal) matcher.part(index).part());
    String after = text((Literal) matcher.part(index + 2).part());
    return new Explanation.Mismatch(
        null,
        pos,
        "no literal \"" + before + "\" or \"" + after + "\" " + place(index),
        before + " or " + after,
        Arrays.copyOfRange(row, pos, Math.min(row.length, pos + 1)));
  }

  private Explanation.Mismatch missingLiteral(int index, int pos) {
    Literal literal = (Literal) matcher.part(index).part();
    byte[] wanted = literal.shared();
    int same = 0;
    while (pos + same < row.length && row[pos + same] == wanted[same]) {
      same++;
    }
    return new Explanation.Mismatch(
        null,
        pos + same,
        "no literal \"" + text(literal) + "\" " + place(index),
        text(literal),
        Arrays.copyOfRange(row, pos, Math.min(row.length, pos + wanted.length)));
  }

  /**
   * A variable-length segment whose end never comes; points at what cannot belong to it, if any.
   */
  private Explanation.Mismatch unterminated(int index, Segment segment, int pos) {
    Literal literal = literalAfter(index);
    int wrong = segment.firstWrong(row, pos, row.length);
    return new Explanation.Mismatch(
        segment.name(),
        wrong < 0 ? row.length : wrong,
        "no literal \"" + text(literal) + "\" after segment " + segment.name(),
        segment.expectation() + ", then \"" + text(literal) + "\"",
        rest(pos));
  }

  private Explanation.Mismatch wrongSalt() {
    for (DerivedValue value : layout.derived()) {
      if (!value.matches(row, 0, row.length)) {
        int at = matcher.startOf(value.part(), row, 0, row.length);
        int to = at + value.segment().minLength();
        return new Explanation.Mismatch(
            value.segment().name(),
            at,
            value.hasChoice()
                ? "segment " + value.segment().name() + " is nothing that its derivation allows"
                : "segment " + value.segment().name() + " is not what its derivation gives",
            value.expectation(row, 0, row.length),
            Arrays.copyOfRange(row, at, to));
      }
    }
    throw new AssertionError("A row with a wrong salt has a derived segment that does not match");
  }

  private int segmentEnd(int index, int pos) {
    Part part = matcher.part(index).part();
    if (part.isFixedLength()) {
      return Math.min(row.length, pos + part.minLength());
    }
    if (part.endsByItself()) {
      int start = pos + ((Segment) part).lengthBytes();
      long length = start > row.length ? 0 : ((Segment) part).prefix().lengthAt(row, pos);
      return (int) Math.min(row.length, start + Math.max(0, length));
    }
    return matcher.part(index).skip(row, pos, row.length);
  }

  /** The literal right after a segment, which ends it or may not stand inside. */
  private Literal literalAfter(int index) {
    return (Literal) matcher.part(index + 1).part();
  }

  private String place(int index) {
    return index == 0
        ? "at the start"
        : "after segment " + ((Segment) matcher.part(index - 1).part()).name();
  }

  private static String isNot(Segment segment) {
    SegmentType type = segment.type();
    String subject = "segment " + segment.name();
    switch (type.kind()) {
      case TEXT:
        return subject
            + (segment.isTurned()
                ? " is not valid UTF-8 with all bits turned"
                : " is not valid UTF-8");
      case WORD:
        return subject + " is not made of letters, digits or underscores";
      case MILLIS:
        return subject + " is no time in milliseconds: its top bit is set";
      default:
        String expectation = type.expectation();
        String count = Integer.toString(type.minLength());
        return subject
            + " is not "
            + (type.minLength() < SMALL_NUMBERS.length
                ? SMALL_NUMBERS[type.minLength()] + expectation.substring(count.length())
                : expectation);
    }
  }

  private static Explanation.Mismatch finding(
      Segment segment, int offset, String problem, byte[] found) {
    return new Explanation.Mismatch(segment.name(), offset, problem, segment.expectation(), found);
  }

  private static String text(Literal literal) {
    return RowText.abbreviated(literal.shared());
  }

  private byte[] rest(int from) {
    return Arrays.copyOfRange(row, from, row.length);
  }
}
