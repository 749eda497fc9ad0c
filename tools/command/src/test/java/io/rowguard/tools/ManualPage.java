package io.rowguard.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of a page of the manual that are not prose: headings, blocks and pictures, in their
 * order.
 */
record ManualPage(List<Part> parts) {
  static final Path DOCS = Path.of("../../docs");

  // Fenced blocks first, so that nothing inside of them is taken for something else.
  private static final Pattern PART =
      Pattern.compile(
          "(?ms)^```(?<fence>\\w*)\\n(?<fenced>.*?)^```$"
              + "|^(?<level>#+) (?<words>[^\\n]*)$"
              + "|(?<=\\n\\n)(?<indented>(?: {4}[^\\n]*\\n)+)"
              + "|!\\[(?<alt>[^\\]]*)]\\((?<file>[^)]*)\\)");

  enum Kind {
    HEADING,
    /** Commands and what they print, executed by {@link DocsTest}. */
    CONSOLE,
    CODE,
    PICTURE
  }

  /**
   * One of them.
   *
   * @param fixed what is the same in every language: a heading's level, a block's text, a picture's
   *     file
   * @param translated the words of a heading or of a picture's description; empty for blocks
   */
  record Part(Kind kind, String fixed, String translated) {}

  static ManualPage read(Path file) throws IOException {
    List<Part> parts = new ArrayList<>();
    Matcher part = PART.matcher(Files.readString(file));
    while (part.find()) {
      if (part.group("fenced") != null) {
        Kind kind = part.group("fence").equals("console") ? Kind.CONSOLE : Kind.CODE;
        parts.add(new Part(kind, part.group("fenced"), ""));
      } else if (part.group("level") != null) {
        parts.add(new Part(Kind.HEADING, part.group("level"), part.group("words")));
      } else if (part.group("indented") != null) {
        parts.add(new Part(Kind.CODE, part.group("indented"), ""));
      } else {
        parts.add(new Part(Kind.PICTURE, part.group("file"), part.group("alt")));
      }
    }
    return new ManualPage(List.copyOf(parts));
  }

  List<Part> parts(Kind kind) {
    return parts.stream().filter(part -> part.kind == kind).toList();
  }

  /** The parts as they must be in every language. */
  List<String> fixedParts() {
    return parts.stream().map(part -> part.kind + " " + part.fixed).toList();
  }
}
