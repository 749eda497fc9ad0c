package io.rowguard.deploy;

/**
 * One command of a page.
 *
 * @param section the heading it stands under
 * @param tool what executes it
 * @param text the command in one line, blanks as they are within quotes, without a comment; of a
 *     block that is no command, its lines
 */
record Command(String section, Tool tool, String text) {
  /** Kinds of blocks: how a command is run. */
  enum Tool {
    BASH,
    HBASE_SHELL,
    /** A block that shows something else: a layout, a message. */
    NONE
  }

  /** Key of the block in tests: the command, or the first line of another block. */
  String key() {
    return text.lines().findFirst().orElseThrow();
  }

  @Override
  public String toString() {
    return section + ": " + text;
  }
}
