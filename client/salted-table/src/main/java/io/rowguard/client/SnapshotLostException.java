package io.rowguard.client;

import java.io.IOException;

/**
 * Says that a {@link RowGroup#scan} cannot go on as of the moment when it began, since its scanner
 * on the server is lost. The group is to be read again, from its beginning.
 */
public final class SnapshotLostException extends IOException {
  private static final long serialVersionUID = 1L;

  SnapshotLostException(String message) {
    super(message);
  }
}
