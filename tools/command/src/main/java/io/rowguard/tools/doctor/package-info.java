/**
 * {@code rowguard doctor}: looks at a live cluster and names what is wrong with its guarded tables,
 * and what to do about it. It changes nothing.
 *
 * <pre>
 * orders   guarded, all boundaries legal                                   exit code 0
 * orders   rowguard.layout without SPLIT_POLICY: no_split_policy           exit code 1
 * no answer from that address                                              exit code 2
 * </pre>
 */
package io.rowguard.tools.doctor;
