/** {@code rowguard explain}: what a layout means, what a key holds, and what a colleague says. */
package io.rowguard.tools.explain;
