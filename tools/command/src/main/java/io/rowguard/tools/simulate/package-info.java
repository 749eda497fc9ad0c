/** {@code rowguard simulate}: many keys into a table, and which of its regions get them when. */
package io.rowguard.tools.simulate;
