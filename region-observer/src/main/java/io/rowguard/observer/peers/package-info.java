/**
 * The way from a region to others of its table, on this server or another.
 *
 * <ul>
 *   <li>{@link io.rowguard.observer.peers.TablePeers}: finds, writes, reads and asks rows wherever
 *       they are; {@link io.rowguard.observer.peers.ServerPeers}: what all tables of a server share
 *       for that, on {@code PeerThreads}
 *   <li>{@code PeerQueue}: rows that go to the same peer travel together, {@code ForwardedRow}s of
 *       {@code ForwardedBatch}es; {@code LocalWriter} and {@code RemoteWriter} write them; {@code
 *       RowReader} reads rows
 *   <li>{@link io.rowguard.observer.peers.PeerHealth}: keeps a server that hangs from stopping all
 *       others; {@code LocationRefresher}: finds regions again; {@link
 *       io.rowguard.observer.peers.PeerFailures}: what a failure there means
 * </ul>
 */
package io.rowguard.observer.peers;
