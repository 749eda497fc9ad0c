/**
 * Lets clients of all kinds work on guarded tables of a cluster of real processes while servers
 * die, stand still and come back, and says in the end whether anything was lost, doubled or wrong.
 * {@code testing/soak/run.sh} starts it.
 */
package io.rowguard.soak;
