package io.rowguard.load;

/** A verdict on a region's load, in words that an operator acts on. */
public enum LoadVerdict {
  /** There is too little load to judge. */
  LITTLE("little", "too few operations to judge"),
  /** No boundary divides the load well, as one row has nearly half of it or more. */
  ONE_ROW("one row", "splitting cannot help; cache it, or spread it in the layout"),
  /** One entity group has most of it, with several rows; or rows that fit no layout have. */
  ONE_GROUP("one group", "it is never cut; a salt inside the group, or a group that ends later"),
  /** Writes go to ever higher rows, or ever lower ones: any boundary leaves them on one side. */
  ASCENDING("ascending", "new keys arrive at the end; salt, or reverse"),
  /** Most rows have one salt, or few of the salts that the region has. */
  FEW_BUCKETS("few buckets", "the salt does not spread these keys (which input repeats?)"),
  /** A boundary divides the load well. */
  EVEN("even", "more regions help; the key given divides the load best");

  private final String text;
  private final String advice;

  LoadVerdict(String text, String advice) {
    this.text = text;
    this.advice = advice;
  }

  /** The verdict in one or two words, fixed. */
  public String text() {
    return text;
  }

  /** The consequence, a clause. */
  public String advice() {
    return advice;
  }
}
