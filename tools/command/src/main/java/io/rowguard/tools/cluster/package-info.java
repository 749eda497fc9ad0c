/**
 * The cluster that a command talks to: its settings, questions that end in time, its servers' web
 * pages.
 *
 * <p>{@link io.rowguard.tools.cluster.ClusterOptions}, {@link
 * io.rowguard.tools.cluster.SiteOptions}, {@link io.rowguard.tools.cluster.StandaloneSite} and the
 * arguments {@link io.rowguard.tools.cluster.TableArgument}, {@link
 * io.rowguard.tools.cluster.GivenLayout} and {@link io.rowguard.tools.cluster.JobOptions} name no
 * class of HBase, so that commands can have them without HBase on the class path; everything else
 * here needs HBase.
 */
package io.rowguard.tools.cluster;
