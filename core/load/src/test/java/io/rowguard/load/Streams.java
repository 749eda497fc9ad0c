package io.rowguard.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Made-up loads. */
final class Streams {
  private Streams() {}

  /** A key such as {@code k000042}. */
  static byte[] key(int number) {
    return bytes(String.format("k%06d", number));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Numbers from 0 on, of which the one at rank r comes as often as 1 / (r + 1) ^ exponent. */
  static int[] zipf(int keys, double exponent, int count, Random random) {
    double[] below = new double[keys];
    double sum = 0;
    for (int i = 0; i < keys; i++) {
      sum += Math.pow(i + 1, -exponent);
      below[i] = sum;
    }
    int[] stream = new int[count];
    for (int i = 0; i < count; i++) {
      int found = Arrays.binarySearch(below, random.nextDouble() * sum);
      stream[i] = found >= 0 ? found : Math.min(-found - 1, keys - 1);
    }
    return stream;
  }
}
