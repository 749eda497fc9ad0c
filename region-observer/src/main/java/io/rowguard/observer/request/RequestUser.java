package io.rowguard.observer.request;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Acts with the rights of the user whose request is being served.
 *
 * <p>HBase reads the files of a bulk load with the user's rights; the server's own may not reach
 * them, or reach more than the user may see.
 */
public final class RequestUser {
  private RequestUser() {}

  /** An action that is carried out with the rights of one user. */
  public interface Action {
    public void run() throws IOException;
  }

  /** Does it as the requesting user, or as the server where no request is being served. */
  public static void run(Action action) throws IOException {
    UserGroupInformation self = UserGroupInformation.getCurrentUser();
    UserGroupInformation user = RpcServer.getRequestUser().map(User::getUGI).orElse(self);
    if (user.getUserName().equals(self.getUserName())) {
      action.run();
      return;
    }
    // A copy, with file systems of its own: HBase closes those of the original when another load
    // of the same client ends (SecureBulkLoadManager#secureBulkLoadHFiles).
    UserGroupInformation copy = UserGroupInformation.createRemoteUser(user.getUserName());
    copy.addCredentials(user.getCredentials());
    try {
      copy.doAs(
          (PrivilegedExceptionAction<Void>)
              () -> {
                action.run();
                return null;
              });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while acting as " + user.getUserName(), e);
    } finally {
      FileSystem.closeAllForUGI(copy);
    }
  }
}
