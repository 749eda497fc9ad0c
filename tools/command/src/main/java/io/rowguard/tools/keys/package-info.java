/**
 * Keys to try a design with: from files, and from generators.
 *
 * <p>{@link io.rowguard.tools.keys.RowKeyGenerator} and {@link io.rowguard.tools.keys.RowKeys} are
 * public API: whoever has keys of their own form implements them, names the class in {@code
 * META-INF/services/io.rowguard.tools.keys.RowKeyGenerator} and puts the jar on the class path.
 */
package io.rowguard.tools.keys;
