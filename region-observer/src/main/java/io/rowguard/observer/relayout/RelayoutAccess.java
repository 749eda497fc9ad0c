package io.rowguard.observer.relayout;

import io.rowguard.relayout.RelayoutRequest;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.Superusers;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.Permission.Action;

/**
 * Permissions to ask a region about a change of its table's layout: all users have them, unless
 * {@code hbase.security.authorization} is on. Then the servers' own user and the other superusers
 * have them; the table's administrators may have rows pulled, or have that paused, and its readers
 * may ask how far it is. Only servers are told the content of a row or have rows deleted: else any
 * writer could read or delete with the server's rights.
 *
 * <p>Answers take the place of a Get, and the observer mostly comes before HBase's access control,
 * so nothing else checks this. One per region instance. Thread-safe.
 */
public final class RelayoutAccess {
  private final HRegion region;
  private final boolean isAuthorizationOn;

  private RelayoutAccess(HRegion region, boolean isAuthorizationOn) {
    this.region = region;
    this.isAuthorizationOn = isAuthorizationOn;
  }

  /** The permissions of a region, by the server's configuration: a table's own cannot open it. */
  public static RelayoutAccess of(RegionCoprocessorEnvironment env) {
    return new RelayoutAccess(
        (HRegion) env.getRegion(),
        env.getConnection()
            .getConfiguration()
            .getBoolean(User.HBASE_SECURITY_AUTHORIZATION_CONF_KEY, false));
  }

  /**
   * Returns if the user whose request is being served may ask that.
   *
   * @throws AccessDeniedException if not
   */
  public void require(RelayoutRequest.Kind kind) throws AccessDeniedException {
    User user = isAuthorizationOn ? RpcServer.getRequestUser().orElse(null) : null;
    if (user == null || Superusers.isSuperUser(user) || isPermitted(user, actionFor(kind))) {
      return;
    }
    throw new AccessDeniedException(
        "Insufficient permissions to ask a region about a change of its table's layout. user="
            + user.getShortName()
            + " table="
            + table()
            + " request="
            + kind
            + ".");
  }

  /**
   * The action that users other than superusers must be permitted; null where that does not help.
   */
  private static Action actionFor(RelayoutRequest.Kind kind) {
    switch (kind) {
      case TOUCH:
      case PAUSE:
      case RESUME:
        return Action.ADMIN;
      case COUNT:
      case STATE:
      case PROGRESS:
      case LEFTOVERS:
        return Action.READ;
      default:
        return null;
    }
  }

  /** HBase's access control is loaded after this, if at all; without it no user is permitted. */
  private boolean isPermitted(User user, Action action) {
    AccessController access = region.getCoprocessorHost().findCoprocessor(AccessController.class);
    return action != null
        && access != null
        && access.getAuthManager().authorizeUserTable(user, table(), action);
  }

  private TableName table() {
    return region.getTableDescriptor().getTableName();
  }
}
