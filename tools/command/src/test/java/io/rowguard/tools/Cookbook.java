package io.rowguard.tools;

import io.rowguard.tools.ManualPage.Kind;
import io.rowguard.tools.ManualPage.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code docs/cookbook.md}, whose pictures show the last {@code rowguard simulate} before them.
 *
 * @param page all of it
 */
record Cookbook(ManualPage page) {
  /** How the names of its pictures begin. */
  static final String PICTURES = "images/cookbook-";

  private static final String SIMULATE = "rowguard simulate ";

  /** A picture, seen from {@code docs}, what it shows in words, and the command it shows. */
  record Illustration(String file, String description, String command) {}

  static Cookbook read() throws IOException {
    return new Cookbook(ManualPage.read(ManualPage.DOCS.resolve("cookbook.md")));
  }

  List<Illustration> illustrations() {
    List<Illustration> illustrations = new ArrayList<>();
    String command = "";
    for (Part part : page.parts()) {
      if (part.kind() == Kind.CONSOLE) {
        for (String line : Transcript.commands(part.fixed())) {
          command = line.startsWith(SIMULATE) ? line : command;
        }
      } else if (part.kind() == Kind.PICTURE) {
        illustrations.add(new Illustration(part.fixed(), part.translated(), command));
      }
    }
    return illustrations;
  }

  /** The same simulation, which also writes its HTML report. */
  static String withReport(String command, String html) {
    return SIMULATE + "--html " + html + " " + command.substring(SIMULATE.length());
  }
}
