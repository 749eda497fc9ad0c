package io.rowguard.benchmarks.load;

import io.rowguard.benchmarks.Quantiles;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Reads the figures of all regions of a server from JMX, all attributes, as its info port does. */
final class LoadFigures {
  // A region works its figures out anew when they are five seconds old.
  private static final long STALE_MILLIS = 5_500;
  private static final int WARM_UP = 3;
  private static final int READINGS = 15;

  private final MBeanServer jmx = ManagementFactory.getPlatformMBeanServer();

  /** The milliseconds of readings, some of new figures, and as many of figures just worked out. */
  record Readings(int regions, Quantiles anew, Quantiles again) {}

  /** Reads, and waits until figures are stale, in turns. */
  Readings read() throws JMException, InterruptedException {
    List<Double> anew = new ArrayList<>();
    List<Double> again = new ArrayList<>();
    int regions = 0;
    for (int i = -WARM_UP; i < READINGS; i++) {
      Thread.sleep(STALE_MILLIS);
      long began = System.nanoTime();
      regions = readAll();
      long between = System.nanoTime();
      readAll();
      long ended = System.nanoTime();
      if (i >= 0) {
        anew.add((between - began) / 1e6);
        again.add((ended - between) / 1e6);
      }
    }
    return new Readings(regions, quantiles(anew), quantiles(again));
  }

  private int readAll() throws JMException {
    Set<ObjectName> names = jmx.queryNames(new ObjectName("Rowguard:type=Load,*"), null);
    for (ObjectName name : names) {
      MBeanAttributeInfo[] infos = jmx.getMBeanInfo(name).getAttributes();
      String[] attributes = new String[infos.length];
      for (int i = 0; i < infos.length; i++) {
        attributes[i] = infos[i].getName();
      }
      List<Attribute> values = jmx.getAttributes(name, attributes).asList();
      if (values.size() != infos.length) {
        throw new IllegalStateException("figures are missing: " + name);
      }
    }
    return names.size();
  }

  private static Quantiles quantiles(List<Double> values) {
    return Quantiles.of(values.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
