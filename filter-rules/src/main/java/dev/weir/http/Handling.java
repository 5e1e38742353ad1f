package dev.weir.http;

import java.util.Objects;

/**
 * What a rule does in addition to deciding.
 *
 * @param counted the responses that are charged. A request is charged before its response. It is
 *     refunded if its response turns out not to be one of these
 * @param onDenial what happens to a request that is denied
 */
public record Handling(Statuses counted, OnDenial onDenial) {

  /** The default: every response is charged, and a denied request is rejected. */
  public static final Handling DEFAULT = new Handling(Statuses.ALL, OnDenial.REJECT);

  public Handling {
    Objects.requireNonNull(counted, "counted");
    Objects.requireNonNull(onDenial, "onDenial");
  }

  /** Returns the same handling, which charges only for these responses. */
  public Handling counting(Statuses statuses) {
    return new Handling(statuses, onDenial);
  }

  /** Returns the same handling, which does this with a denied request. */
  public Handling denying(OnDenial other) {
    return new Handling(counted, other);
  }
}
