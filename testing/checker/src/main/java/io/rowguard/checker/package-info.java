/**
 * Decides whether what clients of a table were answered, and what is stored in the end, can be
 * right. Knows nothing of the code under test: neither how it reads a layout nor how it finds a
 * row. Only the JDK.
 */
package io.rowguard.checker;
