/**
 * The keys of the configuration, and the configuration of one table. Every plugin reads it from
 * here, so that all of them judge a table alike.
 *
 * <pre>
 * 'rowguard.layout' => '{user:word}|{time:millis}', 'rowguard.group' => 'user'     right
 * 'rowguard.layuot' => '{user:word}|{time:millis}'                                 wrong: no such key
 * </pre>
 *
 * <ul>
 *   <li>{@link io.rowguard.config.RowguardKey}: every key, its type, default and meaning
 *   <li>{@link io.rowguard.config.TableConfig}: the keys of one table, read and judged by {@code
 *       TableConfigReader}, the one validator, by {@code ConfiguredValues}, {@code MisplacedKeys},
 *       {@code RelayoutReader} and {@code ReplicationReader}
 *   <li>{@link io.rowguard.config.Relayout}: the change of the layout that a table is in
 *   <li>{@link io.rowguard.config.LayoutStamp}, {@link io.rowguard.config.StaleLayoutException},
 *       {@link io.rowguard.config.OtherRowException}: how clients and regions tell each other that
 *       they know different layouts
 *   <li>{@link io.rowguard.config.Mode} and the other enums: the values of single keys
 *   <li>{@link io.rowguard.config.Guards}: which of the plugins a table has
 * </ul>
 */
package io.rowguard.config;
