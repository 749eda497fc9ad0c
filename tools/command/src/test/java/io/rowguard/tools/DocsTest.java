package io.rowguard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The pages of the manual that show the command: each block marked {@code console} is executed, all
 * of one page in one directory, and prints what the page says. {@code -Drowguard.transcripts=write}
 * writes the pages anew.
 */
class DocsTest {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```console\\n(.*?)^```$");
  private static final boolean WRITE = "write".equals(System.getProperty("rowguard.transcripts"));

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "tools.md, 6",
    "internals/full-model.md, 1",
    "cookbook.md, 17",
    "cookbook.zh-CN.md, 17"
  })
  void everyBlock_printsWhatThePageSays(String page, int fewest, @TempDir Path directory)
      throws IOException {
    Path file = ManualPage.DOCS.resolve(page);
    String expected = Files.readString(file);
    Shell shell = new Shell(directory);
    Matcher block = BLOCK.matcher(expected);
    StringBuilder actual = new StringBuilder();
    int blocks = 0;
    while (block.find()) {
      blocks++;
      String rerun = Transcript.rerun(block.group(1), shell);
      block.appendReplacement(actual, Matcher.quoteReplacement("```console\n" + rerun + "```"));
    }
    block.appendTail(actual);
    assertTrue(blocks >= fewest, page + " has " + blocks + " blocks");
    if (WRITE) {
      Files.writeString(file, actual.toString());
    } else {
      assertEquals(expected, actual.toString());
    }
  }
}
