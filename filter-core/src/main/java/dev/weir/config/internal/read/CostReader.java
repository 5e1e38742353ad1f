package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.http.Cost;
import dev.weir.http.CostBounds;
import dev.weir.http.NamedLimit;
import dev.weir.internal.ByteUnit;
import java.util.List;
import java.util.Optional;

/**
 * Reads the cost of a request: a number, a header or query parameter that states it, or the bytes
 * of the response.
 *
 * @param limits of the rule that has the cost
 */
record CostReader(List<NamedLimit> limits) {

  private static final String EXPECTED =
      "a whole number, 'response bytes', or a map with header or query, and from, to and otherwise,"
          + " or with response and reserve";
  private static final String BYTES = "bytes";
  private static final String RESPONSE = "response";
  private static final String RESERVE = "reserve";
  private static final String HEADER = "header";
  private static final String QUERY = "query";
  private static final String FROM = "from";
  private static final String TO = "to";
  private static final String OTHERWISE = "otherwise";

  /** Reads the cost in a rule. It is 1 by default, and empty when there is a problem. */
  Optional<Cost> read(Section rule) {
    return rule.read("cost", Cost.ONE, this::cost);
  }

  private Optional<Cost> cost(Value value) {
    if (value.isText(RESPONSE + " " + BYTES)) {
      return Optional.of(ofResponse());
    }
    if (!value.isMapping()) {
      return granted(value, 1).map(Cost::of);
    }
    return value
        .section(EXPECTED, List.of(HEADER, QUERY, FROM, TO, OTHERWISE, RESPONSE, RESERVE))
        .flatMap(map -> map.has(RESPONSE) ? bytes(map) : stated(map, value));
  }

  /** Returns the default reserve, capped at the smallest capacity of these limits. */
  private Cost ofResponse() {
    long reserve = Cost.OfResponse.RESERVE_BYTES;
    for (NamedLimit limit : limits) {
      reserve = Math.min(reserve, limit.limit().capacity());
    }
    return new Cost.OfResponse(reserve);
  }

  private Optional<Cost> bytes(Section map) {
    Optional<String> what = map.value(RESPONSE).flatMap(value -> value.oneOf(List.of(BYTES)));
    for (String other : List.of(HEADER, QUERY, FROM, TO, OTHERWISE)) {
      map.value(other).ifPresent(value -> value.refuse("no " + other + " together with response"));
    }
    Optional<Cost> cost =
        map.read(RESERVE, ofResponse(), value -> reserve(value).map(Cost.OfResponse::new));
    return what.flatMap(read -> cost);
  }

  private Optional<Long> reserve(Value reserve) {
    if (!reserve.isSize()) {
      return granted(reserve, 1);
    }
    return reserve
        .parsed("a size such as 16 KiB", size -> new Cost.OfResponse(ByteUnit.parse(size)).most())
        .filter(bytes -> isGranted(reserve, bytes));
  }

  private Optional<Cost> stated(Section map, Value value) {
    map.value(RESERVE).ifPresent(reserve -> reserve.refuse("no reserve but of response bytes"));
    Optional<CostBounds> bounds = bounds(map, value);
    Optional<Value> header = map.value(HEADER);
    Optional<Value> query = map.value(QUERY);
    if (header.isPresent() && query.isPresent()) {
      query.get().problem("a query together with a header", "one of the two");
      return Optional.empty();
    }
    if (header.isEmpty() && query.isEmpty()) {
      map.missing(HEADER, "the header or the query parameter with the cost");
      return Optional.empty();
    }
    CostBounds checked = bounds.orElseGet(() -> CostBounds.upTo(1));
    Optional<Cost> cost =
        header.isPresent()
            ? header.get().parsed("a field name", name -> new Cost.OfHeader(name, checked))
            : query.get().parsed("a parameter", name -> new Cost.OfQuery(name, checked));
    return bounds.flatMap(valid -> cost);
  }

  private Optional<CostBounds> bounds(Section map, Value value) {
    Optional<Long> from = map.read(FROM, 1L, it -> it.whole(1, Long.MAX_VALUE));
    Optional<Long> to =
        map.required(TO, "the most that a request costs")
            .flatMap(most -> granted(most, from.orElse(1L)));
    Optional<Long> otherwise =
        map.value(OTHERWISE)
            .map(it -> it.whole(from.orElse(1L), to.orElse(Long.MAX_VALUE)))
            .orElse(to);
    return from.isPresent() && to.isPresent() && otherwise.isPresent()
        ? value.make(() -> new CostBounds(from.get(), to.get(), otherwise.get()))
        : Optional.empty();
  }

  /** Reads a number that each limit may grant. */
  private Optional<Long> granted(Value value, long least) {
    return value.whole(least, Long.MAX_VALUE).filter(cost -> isGranted(value, cost));
  }

  private boolean isGranted(Value value, long cost) {
    Optional<NamedLimit> exceeded = NamedLimit.exceeded(limits, cost);
    exceeded.ifPresent(
        limit ->
            value.refuse(
                "at most %d, for limit '%s' grants no more"
                    .formatted(limit.limit().capacity(), limit.name())));
    return exceeded.isEmpty();
  }
}
