package io.rowguard.tools.cli;

import io.rowguard.layout.FailureText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file of text that an option names, in UTF-8. */
public final class OutputFile {
  private OutputFile() {}

  /**
   * Checks, before the work whose result goes there, that a file can be made. Null needs nothing.
   *
   * @throws CommandFailure when its directory is not there, or it is a directory itself
   */
  public static void require(Path file) {
    if (file == null) {
      return;
    }
    Path directory = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file) || directory == null || !Files.isDirectory(directory)) {
      throw new CommandFailure(
          "The file cannot be written: "
              + (Files.isDirectory(file) ? "it is a directory" : "its directory is not there")
              + ". file="
              + file);
    }
  }

  /**
   * Writes a file whole, or leaves the one that is there as it is. What is no regular file, such as
   * a pipe, is written to.
   *
   * @throws CommandFailure when it cannot be written
   */
  public static void write(Path file, String text) {
    require(file);
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        Files.writeString(file, text);
        return;
      }
      // Through a link, so that the link stays.
      Path target = Files.exists(file) ? file.toRealPath() : file;
      String name = "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".new";
      Path whole = target.resolveSibling(name);
      try {
        Files.writeString(whole, text);
        Files.move(whole, target, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(whole);
      }
    } catch (IOException e) {
      throw new CommandFailure(
          "The file cannot be written. file=" + file + " why=" + FailureText.of(e), e);
    }
  }
}
