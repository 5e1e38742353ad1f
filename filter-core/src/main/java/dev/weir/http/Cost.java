package dev.weir.http;

import java.util.Objects;

/**
 * How many permits one request takes from each limit of a rule. Immutable and thread-safe.
 *
 * <p>What a request itself says of its cost is a client's claim: it is believed within bounds, and
 * what cannot be understood costs the most.
 */
public sealed interface Cost {

  /** One permit for each request. */
  Cost ONE = new Fixed(1);

  /** The most that any request is charged before it is answered, at least 1. */
  long most();

  /** What this request is charged before it is answered, from 1 to {@link #most}. */
  long permits(RequestView request);

  /**
   * The same for all requests.
   *
   * @throws IllegalArgumentException when permits is not positive
   */
  static Cost of(long permits) {
    return permits == 1 ? ONE : new Fixed(permits);
  }

  /**
   * The same for all requests.
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
   * What a header says. All its lines are looked at, for nobody knows which one the application
   * reads.
   *
   * @param name of the field, in any case
   */
  record OfHeader(String name, CostBounds bounds) implements Cost {

    /**
     * @throws IllegalArgumentException when the name is not one of a field
     */
    public OfHeader {
      Objects.requireNonNull(bounds, "bounds");
      if (!Tokens.isToken(name)) {
        throw Expect.failure(
            "header", "'" + Expect.printable(name) + "'", "a field name such as X-Rows");
      }
    }

    @Override
    public long most() {
      return bounds.to();
    }

    @Override
    public long permits(RequestView request) {
      return Preflight.isOne(request) ? bounds.from() : bounds.permits(request.headers(name));
    }
  }

  /**
   * What a query parameter says. The body of a form is not read.
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
        throw Expect.failure(
            "query", "'" + Expect.printable(name) + "'", "the name of a query parameter");
      }
    }

    @Override
    public long most() {
      return bounds.to();
    }

    @Override
    public long permits(RequestView request) {
      return Preflight.isOne(request) ? bounds.from() : bounds.permits(request.queries(name));
    }
  }

  /**
   * The bytes of the response's body, a permit for each.
   *
   * <p>Nobody knows them before, so that a reserve is charged first. When the response has ended,
   * what it had less is given back, and what it had more is owed: the limit keeps later requests
   * waiting until that is paid, however much it is. Where nobody knows how it ended, the reserve
   * stays, or what was written if that is more.
   *
   * @param most the reserve. It is what a request needs to be let in
   */
  record OfResponse(long most) implements Cost {

    /** Large enough for most pages. */
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

    /** What the request has cost, now that its response has ended. */
    long spent(Ended response) {
      return response.status().isPresent()
          ? response.bodyBytes()
          : Math.max(most, response.bodyBytes());
    }
  }
}
