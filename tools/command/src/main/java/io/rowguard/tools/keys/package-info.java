/**
 * Keys to try a design with: from files, and from generators.
 *
 * <p>{@link io.rowguard.tools.keys.RowKeyGenerator} and {@link io.rowguard.tools.keys.RowKeys} are
 * public API: to use keys of another form, implement them, name the class in {@code
 * META-INF/services/io.rowguard.tools.keys.RowKeyGenerator} and puts the jar on the class path.
 */
package io.rowguard.tools.keys;
