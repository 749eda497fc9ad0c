package io.rowguard.deploy;

/** Executes a command of a page and asserts that what the page says of it is so. */
interface Step {
  void execute(Command command) throws Exception;
}
