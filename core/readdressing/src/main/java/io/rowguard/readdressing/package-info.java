/**
 * Actions, cells and results of HBase's client for another row, the same but for that: how an
 * action on a bare key becomes one on its salted row, and a result of the salted row one of the
 * bare key. Which rows those are is not decided here.
 *
 * <ul>
 *   <li>{@link io.rowguard.readdressing.ReaddressedAction}: gets and writes
 *   <li>{@link io.rowguard.readdressing.ReaddressedResult}: what comes back
 *   <li>{@link io.rowguard.readdressing.ReaddressedCell}: the cells of both
 * </ul>
 *
 * <p>Arguments are never changed. All methods are thread-safe as long as nothing else changes what
 * is given meanwhile; they copy cells, and share everything else.
 */
package io.rowguard.readdressing;
