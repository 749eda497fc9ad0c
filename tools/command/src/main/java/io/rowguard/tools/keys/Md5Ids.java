package io.rowguard.tools.keys;

/** Ids that count up, after the first digits of their MD5. */
public final class Md5Ids extends BuiltInGenerator {
  /** For {@link java.util.ServiceLoader}. */
  public Md5Ids() {
    super(
        "md5-id",
        "ids that count up, after the first digits of their md5",
        "{hash:hex(8)=md5(id)}{id:uint64}",
        "id",
        "seq(1)");
  }
}
