/**
 * {@code rowguard hot}: which keys of a live table are hot, as its region servers show in JMX, and
 * what can be done about it.
 *
 * <ul>
 *   <li>{@link io.rowguard.tools.hot.HotCommand}: the command; {@code HotReader} asks the servers
 *   <li>{@code HotTable}, {@code HotRegion}, {@code HotKeyRate}: their answers; {@code TableKey}:
 *       the hottest keys of all regions
 *   <li>{@code HotReport}, {@code HotKeyText}: the same for people
 * </ul>
 */
package io.rowguard.tools.hot;
