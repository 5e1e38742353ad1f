package dev.weir.http;

import dev.weir.http.internal.client.Tokens;
import dev.weir.internal.BucketUnits;
import dev.weir.internal.Expect;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  /**
   * Returns the permits that every limit of the rule must be able to grant, at least 1. No request
   * is charged more before its response, unless it {@linkplain OfRequest states} a longer body.
   */
  long most();

  /** Returns what this request is charged before its response, at least 1. */
  long permits(RequestView request);

  /** Returns whether a permit is a byte. */
  boolean isInBytes();

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
      Expect.positive("cost", most);
    }

    @Override
    public long permits(RequestView request) {
      return most;
    }

    @Override
    public boolean isInBytes() {
      return false;
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
  record OfHeader(String name, Bounds bounds) implements Cost {

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

    @Override
    public boolean isInBytes() {
      return false;
    }
  }

  /**
   * A cost that a query parameter states. The body of a form is not read. A CORS preflight costs
   * the least, because the application does no work for it.
   *
   * @param name of the parameter, decoded
   */
  record OfQuery(String name, Bounds bounds) implements Cost {

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

    @Override
    public boolean isInBytes() {
      return false;
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
      Expect.positive("reserve", most);
    }

    @Override
    public long permits(RequestView request) {
      return most;
    }

    @Override
    public boolean isInBytes() {
      return true;
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

  /**
   * A cost of one permit for each byte of the request's body, and of one permit without a body.
   *
   * <p>{@code Content-Length} states the number of bytes, and servers hold the client to it. A body
   * is never read. A request whose length is unknown costs {@code most}, or the length that it
   * states if that is larger. Its length is unknown if it has {@code Transfer-Encoding}, several
   * lengths, or one that is not a number of plain digits. It is also unknown without a length over
   * a protocol in which a body needs no field. That holds for a CORS preflight too, since any
   * client can send what resembles one, with a body.
   *
   * @param most what a request of unknown length costs
   */
  record OfRequest(long most) implements Cost {

    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    /** The most digits that always fit a long. */
    private static final int MOST_DIGITS = 18;

    /**
     * @throws IllegalArgumentException when it is not positive
     */
    public OfRequest {
      Expect.positive("unknown", most);
    }

    @Override
    public long permits(RequestView request) {
      List<String> lengths = request.headers("Content-Length");
      boolean isEncoded = !request.headers("Transfer-Encoding").isEmpty();
      if (lengths.isEmpty() && !isEncoded) {
        return request.declaresBody() ? 1 : most;
      }
      boolean isKnown = lengths.size() == 1 && !isEncoded;
      long bytes = 1;
      for (String length : lengths) {
        boolean isNumber = DIGITS.matcher(length).matches();
        isKnown &= isNumber;
        bytes = Math.max(bytes, isNumber ? bytes(length) : 0);
      }
      return isKnown ? bytes : Math.max(bytes, most);
    }

    /** Returns the number of these digits, but no more than is larger than any limit grants. */
    private static long bytes(String digits) {
      int first = 0;
      while (first < digits.length() - 1 && digits.charAt(first) == '0') {
        first++;
      }
      boolean fits = digits.length() - first <= MOST_DIGITS;
      long number = fits ? Long.parseLong(digits.substring(first)) : BucketUnits.EXACT;
      return Math.min(number, BucketUnits.EXACT);
    }

    @Override
    public boolean isInBytes() {
      return true;
    }
  }

  /**
   * The bounds for a cost that a request states as a whole number. A number outside of them counts
   * as the nearer bound.
   *
   * <p>A request that states nothing costs {@code otherwise}. One that states anything but one
   * number of plain digits costs {@code to}. Examples are two values, a sign, a blank, a fraction,
   * or digits of other scripts. Applications read such values in different ways, and some read more
   * than is apparent. So nothing cheaper would be safe.
   *
   * @param from the least that a request costs, in permits
   * @param to the most that it costs
   * @param otherwise what it costs when it states nothing
   */
  record Bounds(long from, long to, long otherwise) {

    /**
     * Plain digits, of which the last 18 always fit a long. A longer number is more than any cost.
     */
    private static final Pattern NUMBER = Pattern.compile("0*([0-9]{1,18})");

    /**
     * @throws IllegalArgumentException unless 1 ≤ from ≤ to, and from ≤ otherwise ≤ to
     */
    public Bounds {
      Expect.positive("from", from);
      if (to < from) {
        throw Expect.failure("to", to, "at least " + from + ", which is from");
      }
      if (otherwise < from || otherwise > to) {
        throw Expect.failure("otherwise", otherwise, "from " + from + " to " + to);
      }
    }

    /** Returns bounds from 1 to this number. A request that states nothing costs this number. */
    public static Bounds upTo(long to) {
      return new Bounds(1, to, to);
    }

    /** Returns the cost of a request that states these values. */
    long permits(List<String> values) {
      if (values.isEmpty()) {
        return otherwise;
      }
      // Long.parseLong would accept a sign, and digits of any script
      Matcher stated = NUMBER.matcher(values.get(0));
      return values.size() > 1 || !stated.matches()
          ? to
          : Math.max(from, Math.min(Long.parseLong(stated.group(1)), to));
    }
  }
}
