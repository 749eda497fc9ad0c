package io.rowguard.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** All workers of a soak. One that is not well, or does not end, is a violation. */
final class Crew {
  private final Events events;
  private final List<Worker> workers = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();

  Crew(Events events) {
    this.events = events;
  }

  Worker start(String name, int patienceSeconds, Worker.Task task) {
    Worker worker = new Worker(name, patienceSeconds, task);
    workers.add(worker);
    return worker;
  }

  /** Waits; returns early, with a line that says why, when a worker is not well. */
  void watch(long seconds) throws InterruptedException {
    for (long second = 1; second <= seconds; second++) {
      for (Worker worker : workers) {
        String complaint = worker.complaint();
        if (complaint != null) {
          events.say("ends early: " + complaint);
          worker.trace().printStackTrace();
          return;
        }
      }
      if (second % 60 == 0) {
        long count = workers.stream().mapToLong(Worker::count).sum();
        events.say(second / 60 + " min, operations=" + count);
      }
      TimeUnit.SECONDS.sleep(1);
    }
  }

  /**
   * Ends a worker, and judges it.
   *
   * @param patienceSeconds how long it may take to end
   */
  void end(Worker worker, int patienceSeconds) throws InterruptedException {
    end(List.of(worker), patienceSeconds);
  }

  /** Ends all that are left. */
  void endAll(int patienceSeconds) throws InterruptedException {
    end(List.copyOf(workers), patienceSeconds);
  }

  private void end(List<Worker> some, int patienceSeconds) throws InterruptedException {
    // Before they are told: afterwards it would not be seen that one had ended by itself.
    List<Worker> unwell = some.stream().filter(worker -> worker.complaint() != null).toList();
    unwell.forEach(worker -> violations.add(worker.complaint()));
    some.forEach(Worker::end);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(patienceSeconds);
    for (Worker worker : some) {
      boolean hasEnded = worker.join(deadline - System.nanoTime());
      if (!hasEnded) {
        worker.trace().printStackTrace();
      }
      String complaint = hasEnded ? worker.complaint() : worker.name() + " does not end";
      if (complaint != null && !unwell.contains(worker)) {
        violations.add(complaint);
      }
      if (worker.failure() != null) {
        worker.failure().printStackTrace();
      }
      events.say("ended " + worker);
    }
    workers.removeAll(some);
  }

  /** Complaints about the workers that have ended. */
  List<String> violations() {
    return violations;
  }
}
