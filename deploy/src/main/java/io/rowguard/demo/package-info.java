/**
 * The demo that {@code deploy/demo.sh} runs: a client of a real HBase whose servers have Rowguard.
 *
 * <p>It shows what the plugins do and, beside it, what HBase does by itself. Nothing that it prints
 * about the cluster is computed from what ought to be there: rows are scanned, regions are asked
 * for. Its conclusions are {@linkplain io.rowguard.demo.Claims claims}, and it fails when one of
 * them did not hold.
 *
 * <ul>
 *   <li>{@link io.rowguard.demo.Demo}: the command line and the order of the acts
 *   <li>{@code WriteAct}, {@code SplitAct}, {@code PresplitAct}, {@code SaltAct}, {@code
 *       RelayoutAct}: what is shown
 *   <li>{@code BatchWriter}, and of {@code io.rowguard.workload} {@code SplitDriver} and {@code
 *       ScannedRows}, {@code PlacesTraffic}: what a client does
 *   <li>{@code RowguardCommand}: what an operator does
 *   <li>{@code Screen}, {@code DemoProgress}: what a person sees
 * </ul>
 */
package io.rowguard.demo;
