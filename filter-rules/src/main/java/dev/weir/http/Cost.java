package dev.weir.http;

import dev.weir.http.internal.client.Tokens;
import dev.weir.internal.Expect;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * The number of permits that one request takes from each limit of a rule. Immutable and
 * thread-safe.
 *
 * <p>The cost that a request states is a client's claim. It is believed within bounds. A value that
 * cannot be understood costs the most.
 */
public sealed interface Cost {

  /** One permit for each request. */
  Cost ONE = new Fixed(1);

  /** Returns the most that any request is charged before its response, at least 1. */
  long most();

  /** Returns what this request is charged before its response, from 1 to {@link #most}. */
  long permits(RequestView request);

  /**
   * Returns a cost that is the same for all requests.
   *
   * @throws IllegalArgumentException when permits is not positive
   */
  static Cost of(long permits) {
    return permits == 1 ? ONE : new Fixed(permits);
  }

  /**
   * A cost that is the same for all requests.
   *
   * @param most at least 1
   */
  record Fixed(long most) implements Cost {

    /**
     * @throws IllegalArgumentException when it is not positive
     */
    public Fixed {
      if (most <= 0) {
        throw Expect.failure("cost", most, "> 0");
      }
    }

    @Override
    public long permits(RequestView request) {
      return most;
    }

    @Override
    public String toString() {
      return Long.toString(most);
    }
  }

  /**
   * A cost that a header states. All its lines are read, because it is unknown which one the
   * application reads. A CORS preflight carries no such header and costs the least.
   *
   * @param name of the field, in any case
   */
  record OfHeader(String name, CostBounds bounds) implements Cost {

    /**
     * @throws IllegalArgumentException when the name is not a field name
     */
    public OfHeader {
      Objects.requireNonNull(bounds, "bounds");
      if (!Tokens.isToken(name)) {
        throw Expect.failure("header", "'" + name + "'", "a field name such as X-Rows");
      }
    }

    @Override
    public long most() {
      return bounds.to();
    }

    @Override
    public long permits(RequestView request) {
      return request.isPreflight() ? bounds.from() : bounds.permits(request.headers(name));
    }
  }

  /**
   * A cost that a query parameter states. The body of a form is not read. A CORS preflight costs
   * the least, because the application does no work for it.
   *
   * @param name of the parameter, decoded
   */
  record OfQuery(String name, CostBounds bounds) implements Cost {

    /**
     * @throws IllegalArgumentException when the name is blank or has control characters
     */
    public OfQuery {
      Objects.requireNonNull(bounds, "bounds");
      if (name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
        throw Expect.failure("query", "'" + name + "'", "the name of a query parameter");
      }
    }

    @Override
    public long most() {
      return bounds.to();
    }

    @Override
    public long permits(RequestView request) {
      return request.isPreflight() ? bounds.from() : bounds.permits(request.queries(name));
    }
  }

  /**
   * A cost of one permit for each byte of the response's body.
   *
   * <p>The number of bytes is unknown before the response, so a reserve is charged first. The cost
   * is reconciled when the response has ended. If the body was smaller than the reserve, the
   * difference is refunded. If it was larger, the difference is a debit, however large it is. The
   * limit makes later requests wait until the debit is paid. If it is unknown how the response
   * ended, the reserve stays charged, or what was written if that is more.
   *
   * @param most the reserve: the permits that a request needs to be allowed
   */
  record OfResponse(long most) implements Cost {

    /** The default reserve. It is large enough for most pages. */
    public static final long RESERVE_BYTES = 16 * 1024;

    /**
     * @throws IllegalArgumentException when the reserve is not positive
     */
    public OfResponse {
      if (most <= 0) {
        throw Expect.failure("reserve", most, "> 0");
      }
    }

    @Override
    public long permits(RequestView request) {
      return most;
    }

    /**
     * Returns what the request has cost, now that its response has ended.
     *
     * @param status empty when it is unknown how the response ended
     * @param bodyBytes the bytes written of its body
     */
    public long spent(OptionalInt status, long bodyBytes) {
      return status.isPresent() ? bodyBytes : Math.max(most, bodyBytes);
    }
  }
}
