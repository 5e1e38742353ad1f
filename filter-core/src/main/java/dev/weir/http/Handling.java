package dev.weir.http;

import java.util.Objects;

/**
 * What a rule does beside deciding.
 *
 * @param counted the responses that are charged for. A request is charged before it is answered; it
 *     is given back what it was charged once its response turns out to be another
 */
public record Handling(Statuses counted) {

  /** Every response is charged for. */
  public static final Handling DEFAULT = new Handling(Statuses.ALL);

  public Handling {
    Objects.requireNonNull(counted, "counted");
  }

  /** The same, charging for these responses only. */
  public Handling counting(Statuses statuses) {
    return new Handling(statuses);
  }
}
