package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.http.Cost;
import dev.weir.http.CostBounds;
import dev.weir.http.NamedLimit;
import dev.weir.limit.ByteUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the cost of a request: a number, a header or query parameter that states it, or the bytes
 * of the response.
 */
final class CostReader {

  private static final String EXPECTED =
      "a whole number, 'response bytes', or a map with header or query, and from, to and otherwise,"
          + " or with response and reserve";
  private static final String BYTES = "bytes";
  private static final String RESPONSE = "response";
  private static final String RESERVE = "reserve";
  private static final String HEADER = "header";
  private static final String QUERY = "query";
  private static final List<String> KEYS =
      List.of(HEADER, QUERY, "from", "to", "otherwise", RESPONSE, RESERVE);

  private final Section map;
  private final List<NamedLimit> limits;

  private CostReader(Section map, List<NamedLimit> limits) {
    this.map = map;
    this.limits = limits;
  }

  /**
   * Reads the cost in a rule with these limits. It is 1 by default, and empty when there is a
   * problem.
   */
  static Optional<Cost> read(Section rule, List<NamedLimit> limits) {
    Optional<Value> value = rule.value("cost");
    if (value.isEmpty()) {
      return Optional.of(Cost.ONE);
    }
    if (value.get().isText(RESPONSE + " " + BYTES)) {
      return Optional.of(ofResponse(limits));
    }
    return value.get().isMapping()
        ? value
            .get()
            .section(EXPECTED, KEYS)
            .flatMap(map -> new CostReader(map, limits).read(value.get()))
        : granted(value.get(), 1, limits).map(Cost::of);
  }

  private Optional<Cost> read(Value value) {
    Optional<Value> response = map.value(RESPONSE);
    return response.isPresent() ? bytes(response.get()) : said(value);
  }

  /** Returns the default reserve, capped at the smallest capacity of these limits. */
  private static Cost ofResponse(List<NamedLimit> limits) {
    long reserve = Cost.OfResponse.RESERVE_BYTES;
    for (NamedLimit limit : limits) {
      reserve = Math.min(reserve, limit.limit().capacity());
    }
    return new Cost.OfResponse(reserve);
  }

  private Optional<Cost> bytes(Value response) {
    Optional<String> what = response.oneOf(Map.of(BYTES, BYTES));
    for (String other : List.of(HEADER, QUERY, "from", "to", "otherwise")) {
      map.value(other)
          .ifPresent(
              value -> value.problem(value.found(), "no " + other + " together with response"));
    }
    Optional<Value> reserve = map.value(RESERVE);
    Optional<Cost> cost =
        reserve.isEmpty()
            ? Optional.of(ofResponse(limits))
            : reserve.flatMap(this::reserved).map(Cost.OfResponse::new);
    return what.flatMap(read -> cost);
  }

  /** Reads a size with its unit, or a number of bytes. */
  private Optional<Long> reserved(Value reserve) {
    if (!reserve.isSize()) {
      return granted(reserve, 1, limits);
    }
    return reserve
        .parsed("a size such as 16 KiB", size -> new Cost.OfResponse(ByteUnit.parse(size)).most())
        .filter(bytes -> isGranted(reserve, bytes, limits));
  }

  private Optional<Cost> said(Value value) {
    map.value(RESERVE)
        .ifPresent(reserve -> reserve.problem(reserve.found(), "no reserve but of response bytes"));
    Optional<CostBounds> bounds = bounds(value);
    Optional<Value> header = map.value(HEADER);
    Optional<Value> query = map.value(QUERY);
    if (header.isPresent() && query.isPresent()) {
      query.get().problem("a query together with a header", "one of the two");
      return Optional.empty();
    }
    if (header.isEmpty() && query.isEmpty()) {
      map.problem(HEADER, "the header or the query parameter with the cost");
      return Optional.empty();
    }
    CostBounds checked = bounds.orElseGet(() -> CostBounds.upTo(1));
    Optional<Cost> cost =
        header.isPresent()
            ? header.get().parsed("a field name", name -> new Cost.OfHeader(name, checked))
            : query.get().parsed("a parameter", name -> new Cost.OfQuery(name, checked));
    return bounds.flatMap(valid -> cost);
  }

  private Optional<CostBounds> bounds(Value value) {
    Optional<Long> from =
        map.value("from").isPresent()
            ? map.value("from").get().whole(1, Long.MAX_VALUE)
            : Optional.of(1L);
    Optional<Long> to =
        map.required("to", "the most that a request costs")
            .flatMap(most -> granted(most, from.orElse(1L), limits));
    Optional<Long> otherwise =
        map.value("otherwise").isPresent()
            ? map.value("otherwise").get().whole(from.orElse(1L), to.orElse(Long.MAX_VALUE))
            : to;
    return from.isPresent() && to.isPresent() && otherwise.isPresent()
        ? value.making(EXPECTED, () -> new CostBounds(from.get(), to.get(), otherwise.get()))
        : Optional.empty();
  }

  /** Reads a number that is at most the capacity of each limit. */
  private static Optional<Long> granted(Value value, long least, List<NamedLimit> limits) {
    return value.whole(least, Long.MAX_VALUE).filter(cost -> isGranted(value, cost, limits));
  }

  private static boolean isGranted(Value value, long cost, List<NamedLimit> limits) {
    for (NamedLimit limit : limits) {
      long capacity = limit.limit().capacity();
      if (cost > capacity) {
        value.problem(
            value.found(),
            "at most " + capacity + ", for limit '" + limit.name() + "' grants no more");
        return false;
      }
    }
    return true;
  }
}
