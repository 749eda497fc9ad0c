/** The common parts of the commands: the terminal, exit codes, failures, the layout argument. */
package io.rowguard.tools.cli;
