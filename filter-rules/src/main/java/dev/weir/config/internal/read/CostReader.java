package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Forms;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.Cost;
import dev.weir.http.Rule.NamedLimit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the cost of a request: a number, a header or query parameter that states it, or the bytes
 * of the response or of the request.
 */
record CostReader(List<NamedLimit> limits) {

  private static final String EXPECTED =
      "a whole number, 'response bytes', 'request bytes', or a map with header or query, and from, to"
          + " and otherwise, or with response and reserve, or with request and unknown";
  private static final String BYTES = "bytes";
  private static final ValueType.Count LONG = new ValueType.Count(1, Long.MAX_VALUE);

  private static final Key<Value> HEADER =
      Key.of("header", new ValueType.Form("a field name", Forms.FIELD_NAME), "X-Rows")
          .means("The header with the cost.");
  private static final Key<Value> QUERY =
      Key.of("query", new ValueType.Form("a parameter", Forms.ANY), "size")
          .means("The query parameter with the cost.");
  private static final Key.Defaulted<Long> FROM =
      Key.of("from", LONG, "5").means("The least that a request costs.").or(1L);
  private static final Key<Long> TO =
      Key.of("to", LONG, "100").means("The most that a request costs.");
  private static final Key<Long> OTHERWISE =
      Key.of("otherwise", LONG, "10")
          .means("The cost of a request that does not say it.")
          .otherwise("`to`");
  private static final Key<Value> RESPONSE =
      Key.of("response", new ValueType.Form(BYTES), BYTES)
          .means("Each byte of the response costs a permit.");
  private static final Key<Long> RESERVE =
      Key.of("reserve", new ValueType.Amount(), "64 KiB")
          .means("What is charged at the start, in bytes.")
          .otherwise(
              (Cost.OfResponse.RESERVE_BYTES >> 10)
                  + " KiB, or the least capacity of the limits if that is less");
  private static final Key<Value> REQUEST =
      Key.of("request", new ValueType.Form(BYTES), BYTES)
          .means("Each byte of the request's body costs a permit, by its `Content-Length`.");
  private static final Key<Long> UNKNOWN =
      Key.of("unknown", new ValueType.Amount(), "1 MB")
          .means("What a request of unknown length costs, in bytes, such as a chunked one.")
          .otherwise("the least capacity of the limits");

  private static final KeyGroup KEYS =
      KeyGroup.of(EXPECTED)
          .withHints(Map.of(BYTES, "request: bytes, or response: bytes"))
          .withKinds(
              List.of(
                  new KeyGroup.Kind(HEADER, List.of(TO), List.of(FROM, OTHERWISE)),
                  new KeyGroup.Kind(QUERY, List.of(TO), List.of(FROM, OTHERWISE)),
                  KeyGroup.Kind.of(RESPONSE, RESERVE),
                  KeyGroup.Kind.of(REQUEST, UNKNOWN)));

  static final Key<Value> COST =
      Key.ofParam(
              "cost",
              new ValueType.AnyOf(
                  EXPECTED,
                  LONG,
                  new ValueType.Form("response bytes"),
                  new ValueType.Form("request bytes"),
                  new ValueType.Mapping(KEYS)),
              "5")
          .means(
              "The permits that a request takes of each limit. A param has a number, `response bytes`"
                  + " or `request bytes`.")
          .otherwise("`" + Cost.ONE + "`");

  /** Reads the cost in a rule. It is 1 by default, and empty when there is a problem. */
  Optional<Cost> read(Section rule) {
    return COST.in(rule).map(this::cost).orElse(Optional.of(Cost.ONE));
  }

  private Optional<Cost> cost(Value value) {
    if (value.isText("response " + BYTES)) {
      return Optional.of(ofResponse());
    }
    if (value.isText("request " + BYTES)) {
      return Optional.of(new Cost.OfRequest(leastCapacity()));
    }
    if (value.isText("response") || value.isText("request")) {
      String meant = value.text(EXPECTED).orElseThrow() + " " + BYTES;
      value.problem(value.found(), EXPECTED, Optional.of(meant));
      return Optional.empty();
    }
    if (!value.isMapping()) {
      return value.whole(1, Long.MAX_VALUE).flatMap(it -> granted(it, value)).map(Cost::of);
    }
    Optional<Section> map = KEYS.read(value);
    Optional<KeyGroup.Kind> kind = map.flatMap(KEYS::kind);
    Optional<Cost> cost =
        map.flatMap(
            keys -> {
              if (REQUEST.isIn(keys)) {
                return requestBytes(keys);
              }
              return RESPONSE.isIn(keys) ? bytes(keys) : stated(keys);
            });
    return kind.flatMap(one -> cost);
  }

  /** Returns the default reserve, capped at the smallest capacity of these limits. */
  private Cost ofResponse() {
    return new Cost.OfResponse(Math.min(Cost.OfResponse.RESERVE_BYTES, leastCapacity()));
  }

  private long leastCapacity() {
    return limits.stream()
        .mapToLong(limit -> limit.limit().capacity())
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private Optional<Cost> requestBytes(Section map) {
    Optional<String> what = REQUEST.in(map).flatMap(value -> value.oneOf(List.of(BYTES)));
    Optional<Long> unknown =
        UNKNOWN.isIn(map)
            ? UNKNOWN.in(map).flatMap(most -> granted(most, UNKNOWN.written(map).orElseThrow()))
            : Optional.of(leastCapacity());
    return what.flatMap(read -> unknown.map(Cost.OfRequest::new));
  }

  private Optional<Cost> bytes(Section map) {
    Optional<String> what = RESPONSE.in(map).flatMap(value -> value.oneOf(List.of(BYTES)));
    Optional<Cost> cost =
        RESERVE.isIn(map)
            ? RESERVE
                .in(map)
                .flatMap(most -> granted(most, RESERVE.written(map).orElseThrow()))
                .map(Cost.OfResponse::new)
            : Optional.of(ofResponse());
    return what.flatMap(read -> cost);
  }

  private Optional<Cost> stated(Section map) {
    long from = FROM.orDefault(map);
    Optional<Long> to =
        TO.required(map, "the most that a request costs")
            .flatMap(value -> value.whole(from, Long.MAX_VALUE).flatMap(it -> granted(it, value)));
    Optional<Long> otherwise =
        OTHERWISE.written(map).map(it -> it.whole(from, to.orElse(Long.MAX_VALUE))).orElse(to);
    Optional<Cost.Bounds> bounds =
        to.flatMap(
            most -> otherwise.flatMap(other -> map.make(() -> new Cost.Bounds(from, most, other))));
    Cost.Bounds checked = bounds.orElseGet(() -> Cost.Bounds.upTo(1));
    Optional<Cost> header =
        HEADER
            .in(map)
            .flatMap(it -> it.parsed("a field name", name -> new Cost.OfHeader(name, checked)));
    Optional<Cost> query =
        QUERY
            .in(map)
            .flatMap(it -> it.parsed("a parameter", name -> new Cost.OfQuery(name, checked)));
    return bounds.flatMap(valid -> header.or(() -> query));
  }

  /** Returns the cost if each limit may grant it. */
  private Optional<Long> granted(long cost, Value value) {
    Optional<NamedLimit> exceeded = NamedLimit.exceeded(limits, cost);
    return exceeded.isEmpty()
        ? Optional.of(cost)
        : value.refuse(
            "at most %d, for limit '%s' grants no more"
                .formatted(exceeded.get().limit().capacity(), exceeded.get().name()));
  }
}
