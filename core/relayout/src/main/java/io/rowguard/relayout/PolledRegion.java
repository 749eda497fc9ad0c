package io.rowguard.relayout;

import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * A region that was asked in a {@link RegionPoll}: its response, or why there is none. Immutable.
 */
public final class PolledRegion {
  private final HRegionLocation location;
  private final RelayoutResponse response;
  private final boolean lacksRelayout;
  private final String failure;

  private PolledRegion(
      HRegionLocation location, RelayoutResponse response, boolean lacksRelayout, String failure) {
    this.location = location;
    this.response = response;
    this.lacksRelayout = lacksRelayout;
    this.failure = failure;
  }

  /** A region that has responded. */
  public static PolledRegion responded(HRegionLocation location, RelayoutResponse response) {
    return new PolledRegion(location, response, false, null);
  }

  /** A region whose server answered, but not with a response. */
  static PolledRegion lackingRelayout(HRegionLocation location, String failure) {
    return new PolledRegion(location, null, true, failure);
  }

  /**
   * A region without a response.
   *
   * @param failure the reason, as a clause
   */
  public static PolledRegion failed(HRegionLocation location, String failure) {
    return new PolledRegion(location, null, false, failure);
  }

  HRegionLocation location() {
    return location;
  }

  /** The region. */
  public RegionInfo region() {
    return location.getRegion();
  }

  /** Its server as far as it was known before the poll; else null. */
  public ServerName server() {
    return location.getServerName();
  }

  /** The response; null where there is none. */
  public RelayoutResponse response() {
    return response;
  }

  /**
   * Whether its server took the request for an ordinary Get: it has no region observer that knows
   * of relayouts.
   */
  public boolean lacksRelayout() {
    return lacksRelayout;
  }

  /** Why there is no response, as a clause; null where there is one. */
  public String failure() {
    return failure;
  }
}
