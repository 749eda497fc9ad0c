/**
 * The cluster that a command talks to: its settings, questions that end in time, its servers' web
 * pages.
 *
 * <p>{@link io.rowguard.tools.cluster.ClusterOptions} and {@link
 * io.rowguard.tools.cluster.SiteOptions} name no class of HBase, so that commands can have them
 * without HBase on the class path; everything else here needs HBase.
 */
package io.rowguard.tools.cluster;
