package io.rowguard.tools.adopt;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the data file of one system. A line is a word and what it says:
 *
 * <pre>{@code
 * system OpenTSDB 2.2 to 2.4
 * source where the facts are from
 * table salted: data points with a salt
 * names tsdb, tsdb-*
 * layout {salt:uint8=java31(metric,tags)%${buckets}}{metric:bytes(3)}{hour:uint32}{tags:bytes}
 * group metric
 * number buckets 2..256 usually 20: tsd.storage.salt.buckets
 * guarded the salt
 * open global annotations, which have another salt
 * rows made by OpenTSDB 2.4.0
 * }</pre>
 *
 * <p>{@code #} begins a remark. {@code layout none} stands for rows that cannot be judged.
 */
final class SystemFile {
  private static final Pattern NUMBER =
      Pattern.compile("([a-z]+) (\\d+)\\.\\.(\\d+) usually (\\d+): (.+)");

  private final String name;
  private final List<KnownTable> tables = new ArrayList<>();
  private String title;
  private String source;
  private String kind;
  private String about;
  private List<String> names;
  private String template;
  private String group;
  private List<KnownNumber> numbers;
  private List<String> guarded;
  private List<String> open;
  private String rows;

  private SystemFile(String name) {
    this.name = name;
  }

  /** Reads the file of a system, which has to be there. */
  static KnownSystem read(String name) {
    try (InputStream in = SystemFile.class.getResourceAsStream(name + ".system")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new SystemFile(name).parse(text.lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private KnownSystem parse(List<String> lines) {
    for (String line : lines) {
      if (!line.isBlank() && !line.startsWith("#")) {
        int blank = line.indexOf(' ');
        say(line.substring(0, blank), line.substring(blank + 1));
      }
    }
    endTable();
    return new KnownSystem(name, title, source, List.copyOf(tables));
  }

  private void say(String word, String said) {
    switch (word) {
      case "system" -> title = said;
      case "source" -> source = said;
      case "table" -> beginTable(said);
      case "names" -> names = List.of(said.split(", ", -1));
      case "layout" -> template = said.equals("none") ? null : said;
      case "group" -> group = said;
      case "number" -> numbers.add(number(said));
      case "guarded" -> guarded.add(said);
      case "open" -> open.add(said);
      case "rows" -> rows = said;
      default -> throw new IllegalStateException(name + ": unknown word " + word);
    }
  }

  private void beginTable(String said) {
    endTable();
    int colon = said.indexOf(": ");
    kind = said.substring(0, colon);
    about = said.substring(colon + 2);
    names = List.of();
    template = null;
    group = null;
    numbers = new ArrayList<>();
    guarded = new ArrayList<>();
    open = new ArrayList<>();
    rows = "";
  }

  private void endTable() {
    if (kind != null) {
      tables.add(
          new KnownTable(
              kind,
              about,
              names,
              template,
              group,
              List.copyOf(numbers),
              List.copyOf(guarded),
              List.copyOf(open),
              rows));
    }
  }

  private KnownNumber number(String said) {
    Matcher matcher = NUMBER.matcher(said);
    if (!matcher.matches()) {
      throw new IllegalStateException(name + ": no number " + said);
    }
    return new KnownNumber(
        matcher.group(1),
        Integer.parseInt(matcher.group(2)),
        Integer.parseInt(matcher.group(3)),
        Integer.parseInt(matcher.group(4)),
        matcher.group(5));
  }
}
