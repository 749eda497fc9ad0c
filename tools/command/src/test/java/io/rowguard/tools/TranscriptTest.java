package io.rowguard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Golden files of whole sessions: every command prints what is written there. After a change that
 * is meant, {@code -Drowguard.transcripts=write} writes them anew; read the difference.
 */
class TranscriptTest {
  private static final Path TRANSCRIPTS =
      Path.of("src/test/resources/io/rowguard/tools/transcripts");
  private static final boolean WRITE = "write".equals(System.getProperty("rowguard.transcripts"));

  static List<Path> transcripts() throws IOException {
    try (Stream<Path> files = Files.list(TRANSCRIPTS)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("transcripts")
  void everyCommand_printsWhatIsWritten(Path transcript, @TempDir Path directory)
      throws IOException {
    String expected = Files.readString(transcript);
    String actual = Transcript.rerun(expected, new Shell(directory));
    if (WRITE) {
      Files.writeString(transcript, actual);
    } else {
      assertEquals(expected, actual);
    }
  }

  @Test
  void transcripts_everyCommand_hasHelpWithExamples() throws IOException {
    String help = Files.readString(TRANSCRIPTS.resolve("help.txt"));
    for (String command :
        List.of(
            "explain",
            "presplit",
            "generate",
            "simulate",
            "doctor",
            "heatmap",
            "hot",
            "audit",
            "digest",
            "adopt",
            "relayout",
            "merge",
            "completion")) {
      String asked = "$ rowguard " + command + " --help\n";
      assertTrue(help.contains(asked), command);
      String answer = help.substring(help.indexOf(asked) + asked.length());
      assertTrue(
          answer.substring(0, Math.max(0, answer.indexOf("\n$ ") + 1)).contains("\nExamples:"),
          command);
    }
  }
}
