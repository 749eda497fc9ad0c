package io.rowguard.benchmarks.layout;

import io.rowguard.benchmarks.constraint.HashedTextIdConstraint;
import io.rowguard.benchmarks.constraint.HexIdConstraint;
import io.rowguard.benchmarks.constraint.PackagesConstraint;
import io.rowguard.benchmarks.constraint.TenantConstraint;
import io.rowguard.layout.RowkeyLayout;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.constraint.Constraint;

/**
 * The layouts of {@code docs/cookbook.md}, and three that are compared with each other, each with
 * what one would write without Rowguard: a regular expression over the row's bytes as Latin-1, and
 * for some a constraint of HBase. A regular expression can say what a row looks like, but not what
 * its salt must be.
 */
public enum CookbookLayout {
  HASHED_ID("{hash:hex(8)=md5(id)}{id:uint64}", "[0-9a-f]{8}.{8}"),
  HASHED_TEXT_ID("{hash:hex(4)=md5(*)}-{id:word}", "[0-9a-f]{4}-[0-9A-Za-z_]++"),
  PARTITION_AND_ID("{part:uint64=id%20}{id:uint64}", ".{8}.{8}"),
  HEX_IDS("{id:hex(16)}", "[0-9a-f]{16}"),
  ORDER_STATUS("{order:digits(12) reversed}{time:millis descending}", "[0-9]{12}[\\x00-\\x7f].{7}"),
  EVENT_BUFFER(
      "{salt:digits(2)=murmur3(*)%100}{event:digits(4)}{date:digits(8)}{offset:uint64}",
      "[0-9]{14}.{8}"),
  METRICS(
      "{salt:uint8=java31(metric,tags)%20}{metric:bytes(3)}{hour:uint32}{tags:bytes}", ".{8}.++"),
  MOBILE_NUMBERS("{number:digits(11) reversed}", "[0-9]{11}"),
  TENANT_DATA(
      "{salt:hex(2)=murmur3(tenant)%256}-{tenant:word}/{kind:word}/{id:text}",
      "[0-9a-f]{2}-[0-9A-Za-z_]++/[0-9A-Za-z_]++/" + Regex.text("\\x00-\\x7f")),
  PACKAGES(
      "{scope:text}/{name:text}",
      Regex.text("\\x00-\\x7f&&[^/]") + "/" + Regex.text("\\x00-\\x7f")),
  /** The baseline of the two that follow. */
  PLAIN_SALT(salted("murmur3(tenant)%64"), Regex.SALTED),
  K_OF_N(salted("murmur3(tenant)%64+murmur3(item)%4"), Regex.SALTED),
  /** Half of the rows on either side. */
  STEP(salted("murmur3(tenant)%16,64 from day=50000000"), Regex.SALTED);

  /** How long rows are whose layout leaves it open. */
  static final int LENGTH = 32;

  private final String text;
  private final Pattern pattern;

  CookbookLayout(String text, String regex) {
    this.text = text;
    this.pattern = Pattern.compile(regex, Pattern.DOTALL);
  }

  private static String salted(String derivation) {
    return "{salt:digits(2)=" + derivation + "}-{tenant:word}/{day:digits(8)}/{item:word}";
  }

  /** The layout as the cookbook has it. */
  public RowkeyLayout layout() {
    return RowkeyLayout.parse(text);
  }

  /** The same form of rows, but nothing derived: all that a regular expression can check. */
  public RowkeyLayout structure() {
    return RowkeyLayout.parse(text.replaceAll("=[^}]*\\}", "}"));
  }

  /** The regular expression of the structure. */
  Pattern pattern() {
    return pattern;
  }

  /** A constraint of HBase that checks the same, where there is one. */
  Optional<Constraint> constraint() {
    return switch (this) {
      case HASHED_TEXT_ID -> Optional.of(new HashedTextIdConstraint());
      case HEX_IDS -> Optional.of(new HexIdConstraint());
      case TENANT_DATA -> Optional.of(new TenantConstraint());
      case PACKAGES -> Optional.of(new PackagesConstraint());
      default -> Optional.empty();
    };
  }

  /** The length of the sample rows, in bytes. */
  int rowLength() {
    return layout().isFixedLength() ? layout().minRowLength() : LENGTH;
  }

  /** The layout's text, for a report. */
  @Override
  public String toString() {
    return text;
  }

  /** Pieces of regular expressions. */
  private static final class Regex {
    static final String SALTED = "[0-9]{2}-[0-9A-Za-z_]++/[0-9]{8}/[0-9A-Za-z_]++";

    private Regex() {}

    /** Well-formed UTF-8, with these ASCII characters; possessive, as nothing needs a retry. */
    static String text(String ascii) {
      return "(?:["
          + ascii
          + "]++|[\\xc2-\\xdf][\\x80-\\xbf]|\\xe0[\\xa0-\\xbf][\\x80-\\xbf]"
          + "|[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}|\\xed[\\x80-\\x9f][\\x80-\\xbf]"
          + "|\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}|[\\xf1-\\xf3][\\x80-\\xbf]{3}"
          + "|\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2})++";
    }
  }
}
