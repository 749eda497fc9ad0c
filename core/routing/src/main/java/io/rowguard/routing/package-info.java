/**
 * The place of a row, and the way to it. Begin with {@link io.rowguard.routing.RowRouter}.
 *
 * <p>A table whose keys are salted on the servers, and whose rows go from 8 to 16 buckets just now:
 *
 * <pre>
 *   row a request names   what it is                    route
 *   13-alice|0001         a row of 16 buckets           AFTER_PULL 05-alice|0001
 *   05-alice|0001         the same key's row of 8       AT 13-alice|0001
 *   03-bob|0007           bob's row, the same in both   HERE
 *   alice|0001            a bare key                    AT 13-alice|0001
 *   99-alice|0001         nothing of that               NOWHERE, WRONG_SALT
 * </pre>
 *
 * <p>The package knows nothing but the JDK and the layout: no region, no server, no mutation. What
 * becomes of a write whose route is known is for others to decide.
 */
package io.rowguard.routing;
