package io.rowguard.model;

/** The choices of a region's split point. */
public enum SplitWhere {
  /** Rowguard's LayoutRegionSplitPolicy: the legal boundary that divides the bytes best. */
  ROWGUARD,

  /** HBase's own: the key in the middle of the block index of the largest store file. */
  MIDDLE,

  /** HBase's KeyPrefixRegionSplitPolicy: the first bytes of that key. */
  PREFIX,

  /** HBase's DelimitedKeyPrefixRegionSplitPolicy: that key up to the delimiter. */
  DELIMITER
}
