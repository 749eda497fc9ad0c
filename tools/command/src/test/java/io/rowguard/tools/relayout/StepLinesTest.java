package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.tools.cli.Terminal;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepLinesTest {
  private static final TableProgress HALF =
      new TableProgress(612_000, 975_000, 0, 38.5, 9_840, 99L, 1L, 0);

  @ParameterizedTest
  @CsvSource({
    "0, 0 s",
    "119, 119 s",
    "120, 2 min",
    "3600, 60 min",
    "7199, 2 h 00 min",
    "9000, 2 h 30 min",
    "100000, 27 h 47 min"
  })
  void time_isAsPeopleSayIt(long seconds, String text) {
    assertEquals(text, StepLines.time(seconds));
  }

  private static StepLines lines(String abilities) {
    PrintWriter none = new PrintWriter(Writer.nullWriter());
    return new StepLines(new Terminal(InputStream.nullInputStream(), none, none, abilities));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "plain; 38.5 %, 99 s left: 612,000 of 1,587,000 rows moved, 9,840 a second",
        "live,columns=120; |############                  | 38.5 %, 99 s left: 612,000 of 1,587,000"
            + " rows moved, 9,840 a second",
        "live,columns=80; |####      | 38.5 %, 99 s left: 612,000 of 1,587,000 rows moved,"
            + " 9,840 a second",
        "live,columns=79; 38.5 %, 99 s left: 612,000 of 1,587,000 rows moved, 9,840 a second",
        "live,columns=60; 38.5 %, 99 s left: 612,000 of 1,587,000 rows moved, 9,840 a"
      })
  void moved_isAsWideAsTheTerminal(String abilities, String line) {
    assertEquals(line, lines(abilities).moved(5, HALF, null));
  }

  @Test
  void moved_whereNotAllIsKnown_saysSo() {
    StepLines lines = lines("live");
    assertEquals("rows moved: 5", lines.moved(5, null, null));
    assertEquals(
        "rows moved: 5; 2 regions have not counted the rest yet",
        lines.moved(5, new TableProgress(9, 1, 2, null, 4, null, 1L, 0), null));
    assertEquals(
        "50.0 %: 1 of 2 rows moved, none in the last minute; paused",
        lines("plain").moved(5, new TableProgress(1, 1, 0, 50.0, 0, null, 1L, 2), null));
    assertEquals(
        "38.5 %, 99 s left: 612,000 of 1,587,000 rows moved, 9,840 a second; slowed to 9,900 rows a"
            + " second: servers have said that they are busy",
        lines("plain").moved(5, HALF, new Pace(9_900, Pace.Why.BUSY, 0, 0)));
  }
}
