package io.rowguard.tools;

/** The output of a command line, and its exit code. */
public record CommandResult(int exitCode, String out, String err) {}
