/**
 * {@code rowguard presplit}: split keys by a layout or by a sample, and a judgement of existing
 * ones. {@link io.rowguard.tools.presplit.HBaseTables} is the one class that needs HBase.
 */
package io.rowguard.tools.presplit;
