package io.rowguard.layout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The message for every verdict, in full, against {@code refusal-messages.tsv}: layout, longest
 * row, row, verdict, message. Operators search their logs for these words.
 */
class RefusalMessagesTest {
  private static final String FILE = "refusal-messages.tsv";

  @Test
  void messages_ofEveryLine_areAsTheFileSays() throws IOException {
    StringBuilder expected = new StringBuilder();
    StringBuilder actual = new StringBuilder();
    for (String line : lines()) {
      expected.append(line).append('\n');
      String[] column = line.split("\t", -1);
      Explanation explanation = explanation(column);
      actual
          .append(String.join("\t", column[0], column[1], column[2]))
          .append('\t')
          .append(explanation.verdict())
          .append('\t')
          .append(explanation.message("table=orders"))
          .append('\n');
    }
    assertEquals(expected.toString(), actual.toString());
  }

  @Test
  void explanation_ofEveryLine_hasThePartsOfItsMessage() throws IOException {
    for (String line : lines()) {
      Explanation explanation = explanation(line.split("\t", -1));
      String parts =
          (explanation.segment() == null ? "" : " segment=" + explanation.segment())
              + (" offset=" + explanation.offset())
              + (" expected=\"" + explanation.expected())
              + ("\" found=\"" + RowText.abbreviated(explanation.found()) + "\". ");
      String message = explanation.message("");
      assertEquals(!explanation.verdict().conforms(), message.contains("\"" + parts), line);
      assertEquals(message, explanation.toString());
    }
  }

  private static Explanation explanation(String[] column) {
    return RowkeyLayout.parse(column[0])
        .withMaxRowLength(Integer.parseInt(column[1]))
        .explain(row(column[2]));
  }

  @Test
  void file_always_hasEveryVerdict() throws IOException {
    Set<Verdict> missing = EnumSet.allOf(Verdict.class);
    for (String line : lines()) {
      missing.remove(Verdict.valueOf(line.split("\t", -1)[3]));
    }
    assertEquals(Set.of(), missing);
  }

  @Test
  void messages_always_areOneLine() throws IOException {
    for (String line : lines()) {
      assertTrue(line.chars().allMatch(c -> c >= ' ' || c == '\t'), line);
    }
  }

  /** A row as HBase prints it; {@code x*300} stands for 300 of them. */
  private static byte[] row(String text) {
    int star = text.lastIndexOf('*');
    return star < 0
        ? SlowBytes.unshow(text)
        : SlowBytes.unshow(
            text.substring(0, star).repeat(Integer.parseInt(text.substring(star + 1))));
  }

  private static List<String> lines() throws IOException {
    try (InputStream in = RefusalMessagesTest.class.getResourceAsStream(FILE)) {
      return new String(in.readAllBytes(), UTF_8).lines().filter(l -> !l.startsWith("#")).toList();
    }
  }
}
