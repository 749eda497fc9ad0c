package io.rowguard.model;

/**
 * Why a table cannot be simulated, in words for the person who asked for it: one line that ends
 * with the way out.
 */
public final class SimulationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SimulationException(String message) {
    super(message);
  }

  SimulationException(String message, Throwable cause) {
    super(message, cause);
  }
}
