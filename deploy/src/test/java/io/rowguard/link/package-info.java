/**
 * Whether the server jar links with an HBase: each class, method and field of HBase that the jar
 * refers to must be there. Version by version, without starting one.
 */
package io.rowguard.link;
