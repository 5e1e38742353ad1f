package dev.weir.http;

import java.util.Objects;

/**
 * What a rule does beside deciding.
 *
 * @param counted the responses that are charged for. A request is charged before it is answered; it
 *     is given back what it was charged once its response turns out to be another
 * @param onDenial what becomes of a request that is denied
 */
public record Handling(Statuses counted, OnDenial onDenial) {

  /** Every response is charged for, and what is denied is rejected. */
  public static final Handling DEFAULT = new Handling(Statuses.ALL, OnDenial.REJECT);

  public Handling {
    Objects.requireNonNull(counted, "counted");
    Objects.requireNonNull(onDenial, "onDenial");
  }

  /** The same, charging for these responses only. */
  public Handling counting(Statuses statuses) {
    return new Handling(statuses, onDenial);
  }

  /** The same, doing this with what is denied. */
  public Handling denying(OnDenial other) {
    return new Handling(counted, other);
  }
}
