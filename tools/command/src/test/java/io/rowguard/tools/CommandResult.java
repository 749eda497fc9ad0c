package io.rowguard.tools;

/** What a command line printed, and its exit code. */
public record CommandResult(int exitCode, String out, String err) {}
