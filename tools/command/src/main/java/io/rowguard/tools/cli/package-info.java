/** What the commands have in common: the terminal, exit codes, failures, the layout argument. */
package io.rowguard.tools.cli;
