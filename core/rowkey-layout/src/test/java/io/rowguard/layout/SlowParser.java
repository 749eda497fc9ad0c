package io.rowguard.layout;

import io.rowguard.layout.SlowModel.Kind;
import io.rowguard.layout.SlowModel.Lit;
import io.rowguard.layout.SlowModel.Piece;
import io.rowguard.layout.SlowModel.Seg;
import io.rowguard.layout.SlowSource.Step;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads valid layouts without optional blanks: enough for known ones. */
final class SlowParser {
  private static final Pattern PIECE =
      Pattern.compile(
          "\\{(?<name>[a-z0-9-]+):(?<type>[A-Za-z0-9]+?)(\\((?<min>\\d+)(\\.\\.(?<max>\\d+))?\\))?"
              + "(?<modifier> reversed| descending( from (?<from>\\d+))?)?"
              + "( with length uint(?<bits>\\d+)( plus (?<plus>\\d+))?)?(?<optional> optional)?"
              + "(=(?<source>[^}]+))?"
              + "}|(?<literal>([^{}\\\\]|\\\\x[0-9A-F]{2})+)");

  private static final Pattern TERM =
      Pattern.compile(
          "(?<hash>[a-z0-9]+)\\((?<names>[^)]+)\\)( (?<way>[a-z]+))?((?<sign>[%/])(?<b>\\d+))?"
              + "|(?<number>.+)%(?<c>.+)");

  private static final Pattern STEP = Pattern.compile(",(\\d+) from ([a-z0-9-]+)=(-?\\d+)");

  private SlowParser() {}

  static SlowModel parse(String text) {
    List<Piece> pieces = new ArrayList<>();
    Matcher matcher = PIECE.matcher(text);
    int end = 0;
    while (matcher.lookingAt()) {
      String literal = matcher.group("literal");
      pieces.add(literal == null ? seg(matcher) : new Lit(SlowBytes.unshow(literal)));
      end = matcher.end();
      matcher.region(end, text.length());
    }
    SlowModel model = new SlowModel(pieces);
    if (end < text.length() || !model.text().equals(text)) {
      throw new IllegalArgumentException("not so simple: " + text);
    }
    return model;
  }

  private static Seg seg(Matcher matcher) {
    String type = matcher.group("type");
    Kind kind = Arrays.stream(Kind.values()).filter(k -> k.word.equals(type)).findAny().get();
    String least = matcher.group("min");
    String most = matcher.group("max");
    int min = least == null ? 1 : Integer.parseInt(least);
    int max = most != null ? Integer.parseInt(most) : least != null ? min : SlowModel.MAX_ROW;
    if (kind.isNumber()) {
      min = kind.width();
      max = kind.width();
    }
    String name = matcher.group("name");
    String modifier = matcher.group("modifier");
    Seg seg = new Seg(name, kind, min, max, modifier != null, source(matcher.group("source")));
    seg = " descending".equals(modifier) && !kind.isNumber() ? seg.turned() : seg;
    String from = matcher.group("from");
    seg = from == null ? seg : seg.descendingFrom(new BigInteger(from));
    if (matcher.group("bits") != null) {
      String plus = matcher.group("plus");
      seg =
          seg.withLength(
              Integer.parseInt(matcher.group("bits")) / 8, plus == null ? 0 : Long.parseLong(plus));
    }
    return matcher.group("optional") == null ? seg : seg.optional();
  }

  private static SlowSource source(String text) {
    if (text == null) {
      return null;
    }
    List<Step> steps = new ArrayList<>();
    String by = null;
    Matcher step = STEP.matcher(text);
    while (step.find()) {
      by = step.group(2);
      steps.add(new Step(Integer.parseInt(step.group(1)), new BigInteger(step.group(3))));
    }
    String[] terms = step.replaceAll("").split("\\+", -1);
    SlowSource first = term(terms[0]);
    SlowSource plus = terms.length == 1 ? null : term(terms[1]);
    return first.plus(plus).withSteps(by, steps);
  }

  private static String name(String said) {
    return said.replaceFirst("first \\d+ of ", "").replaceFirst(" as .*", "");
  }

  private static SlowSource term(String text) {
    if (text.startsWith("any of ")) {
      return SlowSource.any(Integer.parseInt(text.substring(7)));
    }
    Matcher matcher = TERM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("no term: " + text);
    }
    if (matcher.group("number") != null) {
      int buckets = Integer.parseInt(matcher.group("c"));
      return new SlowSource(null, List.of(matcher.group("number")), buckets);
    }
    String names = matcher.group("names");
    List<String> sources = names.equals("*") ? List.of() : List.of(names.split(",", -1));
    List<String> bare = sources.stream().map(SlowParser::name).toList();
    if ("/".equals(matcher.group("sign"))) {
      String hash = matcher.group("hash");
      return new SlowSource(hash, bare, 0)
          .saying(sources)
          .over(SlowHash.way(hash, matcher.group("way")), Long.parseLong(matcher.group("b")));
    }
    int buckets = matcher.group("b") == null ? 0 : Integer.parseInt(matcher.group("b"));
    SlowSource source = new SlowSource(matcher.group("hash"), bare, buckets).saying(sources);
    return matcher.group("way") == null ? source : source.dividedBy(matcher.group("way"));
  }
}
