/**
 * {@code rowguard adopt}: the tables of other systems, and what guards them.
 *
 * <p>One data file per system, beside these classes, says which layouts its tables have ({@link
 * io.rowguard.tools.adopt.KnownSystem}, read by {@code SystemFile}). {@code Adoption} finds the one
 * that fits the rows of a table, with its numbers, and {@code AdoptReport} prints it.
 */
package io.rowguard.tools.adopt;
