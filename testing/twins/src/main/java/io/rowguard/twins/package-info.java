/**
 * The parts of {@code testing/twins/run.sh} besides the programs that it runs: a cluster ({@link
 * io.rowguard.twins.TwinCluster}), tables and what is in them ({@link
 * io.rowguard.twins.TwinTable}), and a way to run several commands of one program in one JVM
 * ({@link io.rowguard.twins.ToolCommands}).
 */
package io.rowguard.twins;
