package io.rowguard.observer.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.Test;

class RegionFeatureTest {
  private static final RegionFeature NOTHING = new RegionFeature() {};

  private static final RegionFeature BEFORE_MUTATIONS =
      new RegionFeature() {
        @Override
        public void before(Mutation mutation) {}
      };

  private static final List<RegionFeature> FEATURES = List.of(NOTHING, BEFORE_MUTATIONS, NOTHING);

  @Test
  void overriding_oneThatDoes_givesIt() {
    assertArrayEquals(
        new RegionFeature[] {BEFORE_MUTATIONS},
        RegionFeature.overriding(FEATURES, "before", Mutation.class));
  }

  @Test
  void overriding_anotherMethodOfThatName_givesNone() {
    assertArrayEquals(
        new RegionFeature[0], RegionFeature.overriding(FEATURES, "before", Scan.class));
  }

  @Test
  void overriding_noMethod_throws() {
    assertThrows(
        IllegalArgumentException.class,
        () -> RegionFeature.overriding(FEATURES, "after", Mutation.class));
  }
}
