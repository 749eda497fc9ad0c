package io.rowguard.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A sample of fixed size of a stream of rows whose weight halves with time: priority sampling (N.
 * Duffield, C. Lund, M. Thorup, "Priority sampling for estimation of arbitrary subset sums", JACM
 * 54(6), 2007). Not thread-safe; allocates nothing but in {@link #sample} and when it is made.
 *
 * <p>A row of weight {@code w} gets the priority {@code w / u}, with {@code u} even between 0 and
 * 1. The rows of the {@code capacity} highest priorities stay; each then stands for the weight
 * {@code max(w, t)}, with {@code t} the highest priority of those that went. The estimate is right
 * in the mean for any set of rows; for a share of the whole the standard deviation is at most
 * {@code 1 / sqrt(capacity - 1)} (M. Szegedy, "The DLT priority sampling is essentially optimal",
 * STOC 2006).
 *
 * <p>All is kept as logarithms to the base 2, in half-lives: a weight that halves is then a number
 * that never changes, for one operation the half-life in which it came.
 */
final class RowReservoir {
  private static final double LOG_2 = Math.log(2);

  private final int capacity;
  private final SplittableRandom random;
  private final byte[] bytes;
  private final short[] lengths;
  private final boolean[] writes;
  private final double[] logWeights;
  private final double[] priorities;

  /** A heap, the lowest priority first. */
  private final short[] heap;

  private int size;
  private double highestGone = Double.NEGATIVE_INFINITY;

  /**
   * @param capacity how many rows, 2 to 32,767
   */
  RowReservoir(int capacity, SplittableRandom random) {
    this.capacity = capacity;
    this.random = random;
    this.bytes = new byte[capacity * HeavyKeys.KEPT_BYTES];
    this.lengths = new short[capacity];
    this.writes = new boolean[capacity];
    this.logWeights = new double[capacity];
    this.priorities = new double[capacity];
    this.heap = new short[capacity];
  }

  /**
   * Offers a row of {@code length} bytes from {@code offset}.
   *
   * @param logWeight the time, in half-lives since any beginning, of one operation; for several,
   *     the logarithm of their number to the base 2 is added
   */
  void offer(byte[] row, int offset, int length, double logWeight, boolean isWrite) {
    // Above 0, so that there is a logarithm.
    double priority = logWeight - Math.log(1 - random.nextDouble()) / LOG_2;
    int place;
    if (size < capacity) {
      place = size++;
      heap[place] = (short) place;
    } else if (priority <= priorities[heap[0]]) {
      highestGone = Math.max(highestGone, priority);
      return;
    } else {
      place = 0;
      highestGone = Math.max(highestGone, priorities[heap[0]]);
    }
    int item = heap[place];
    int kept = Math.min(length, HeavyKeys.KEPT_BYTES);
    System.arraycopy(row, offset, bytes, item * HeavyKeys.KEPT_BYTES, kept);
    lengths[item] = (short) length;
    writes[item] = isWrite;
    logWeights[item] = logWeight;
    priorities[item] = priority;
    siftUp(place);
    siftDown(place);
  }

  /**
   * The rows with their weights at a time in half-lives, the lowest first: in the order in which
   * they came, as far as each stands for the same number of operations.
   */
  List<SampledRow> sample(double now) {
    Short[] order = new Short[size];
    for (short i = 0; i < size; i++) {
      order[i] = i;
    }
    Arrays.sort(order, (a, b) -> Double.compare(logWeights[a], logWeights[b]));
    List<SampledRow> sample = new ArrayList<>(size);
    for (short i : order) {
      int from = i * HeavyKeys.KEPT_BYTES;
      int kept = Math.min(lengths[i], HeavyKeys.KEPT_BYTES);
      sample.add(
          new SampledRow(
              Arrays.copyOfRange(bytes, from, from + kept),
              lengths[i],
              Math.pow(2, Math.max(logWeights[i], highestGone) - now),
              writes[i]));
    }
    return sample;
  }

  private void siftUp(int from) {
    int place = from;
    while (place > 0 && priority(place) < priority((place - 1) / 2)) {
      swap(place, (place - 1) / 2);
      place = (place - 1) / 2;
    }
  }

  private void siftDown(int from) {
    int place = from;
    while (true) {
      int lowest = place;
      int end = Math.min(size, 2 * place + 3);
      for (int child = 2 * place + 1; child < end; child++) {
        lowest = priority(child) < priority(lowest) ? child : lowest;
      }
      if (lowest == place) {
        return;
      }
      swap(place, lowest);
      place = lowest;
    }
  }

  private double priority(int place) {
    return priorities[heap[place]];
  }

  private void swap(int a, int b) {
    short other = heap[a];
    heap[a] = heap[b];
    heap[b] = other;
  }
}
