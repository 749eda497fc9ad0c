/**
 * What regions do while the rows of their table go from one layout to another ({@code
 * docs/decisions/0013-relayout-by-pull.md}).
 *
 * <p>Begin with {@code OldSide}, which answers what the region of an
 * old row is asked.
 */
package io.rowguard.observer.relayout;
