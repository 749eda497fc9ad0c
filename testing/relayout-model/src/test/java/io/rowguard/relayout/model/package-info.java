/**
 * The protocol by which a live table changes its layout, as a model that is explored to the end:
 * {@link io.rowguard.relayout.model.PullSteps} is the heart of it, {@link
 * io.rowguard.relayout.model.Mutation} what it is about, {@link
 * io.rowguard.relayout.model.Explorer} what tries every order of steps, {@link
 * io.rowguard.relayout.model.Mistake} what it would find if one of them were wrong.
 *
 * <p>A key K has two rows, A(K) and B(K), one under each layout, in two regions of the table. That
 * is all: keys have nothing to do with each other, but for requests that are about several ({@link
 * io.rowguard.relayout.model.Waiting} and scans). What HBase does by itself is taken for granted
 * and simple: a row's edit is atomic, a synced edit survives, a server that was given up cannot
 * write.
 *
 * <p>Clusters that replicate, each with a relayout of its own, are explored beside it: {@link
 * io.rowguard.relayout.model.Replicas} is their state, {@link
 * io.rowguard.relayout.model.ReplicaWrites} what becomes of an edit, {@link
 * io.rowguard.relayout.model.PlainReplica} what it is held against, {@link
 * io.rowguard.relayout.model.ReplicaMistake} what it would find.
 *
 * <p>Not modelled: several column families and versions, TTL and tags, nonces, access control,
 * snapshots. They change what is copied, or who may ask, not in which order.
 */
package io.rowguard.relayout.model;
