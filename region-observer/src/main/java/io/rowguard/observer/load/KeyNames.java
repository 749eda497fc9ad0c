package io.rowguard.observer.load;

import io.rowguard.config.LoadKeys;
import io.rowguard.layout.RowText;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * How keys are written where people see them: as they are, or as a keyed hash (HMAC-SHA256, cut to
 * 64 bits) where they are private. The hash's key is made when the server starts and stays in its
 * memory, so that a key cannot be found by trying. Immutable.
 */
final class KeyNames {
  private static final String HMAC = "HmacSHA256";
  private static final SecretKeySpec SECRET = secret();
  private static final int SHOWN = 8;

  private final boolean hidden;

  KeyNames(LoadKeys keys) {
    this.hidden = keys == LoadKeys.HIDE;
  }

  private static SecretKeySpec secret() {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    return new SecretKeySpec(secret, HMAC);
  }

  /** Whether keys are hidden. */
  boolean areHidden() {
    return hidden;
  }

  /** A key as people see it. */
  String of(byte[] key) {
    return hidden ? hash(key) : RowText.toStringBinary(key);
  }

  private static String hash(byte[] key) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(SECRET);
      byte[] hash = mac.doFinal(key);
      StringBuilder text = new StringBuilder("#");
      for (int i = 0; i < SHOWN; i++) {
        text.append(Character.forDigit(hash[i] >> 4 & 0xf, 16));
        text.append(Character.forDigit(hash[i] & 0xf, 16));
      }
      return text.toString();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java platform must have " + HMAC, e);
    }
  }
}
