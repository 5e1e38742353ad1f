package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Forms;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.KeyGroup.Kind;
import dev.weir.config.internal.key.ValueType.Amount;
import dev.weir.config.internal.key.ValueType.AnyOf;
import dev.weir.config.internal.key.ValueType.Count;
import dev.weir.config.internal.key.ValueType.Form;
import dev.weir.config.internal.key.ValueType.Mapping;
import dev.weir.http.Cost;
import dev.weir.http.Rule.NamedLimit;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

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
  private static final Amount AMOUNT = new Amount();
  private static final Count LONG = new Count(1, Long.MAX_VALUE);

  private static final Key<Value> HEADER =
      Key.of(
          "header",
          new Form("a field name", Forms.FIELD_NAME),
          "The header with the cost.",
          "X-Rows");
  private static final Key<Value> QUERY =
      Key.of(
          "query",
          new Form("a parameter", Forms.ANY),
          "The query parameter with the cost.",
          "size");
  private static final Key.Defaulted<Long> FROM =
      Key.of("from", LONG, "The least that a request costs.", "5").or(1L);
  private static final Key<Long> TO = Key.of("to", LONG, "The most that a request costs.", "100");
  private static final Key<Long> OTHERWISE =
      Key.of("otherwise", LONG, "The cost of a request that does not say it.", "10")
          .otherwise("`to`");
  private static final Key<Value> RESPONSE =
      Key.of(
          "response",
          new Form(BYTES, Pattern.compile(BYTES)),
          "Each byte of the response costs a permit.",
          BYTES);
  private static final Key<Long> RESERVE =
      Key.of("reserve", new Amount(), "What is charged at the start, in bytes.", "64 KiB")
          .otherwise(
              (Cost.OfResponse.RESERVE_BYTES >> 10)
                  + " KiB, or the least capacity of the limits if that is less");

  private static final KeyGroup KEYS =
      KeyGroup.of(EXPECTED)
          .withKinds(
              List.of(
                  new Kind(HEADER, List.of(TO), List.of(FROM, OTHERWISE)),
                  new Kind(QUERY, List.of(TO), List.of(FROM, OTHERWISE)),
                  Kind.of(RESPONSE, RESERVE)));

  static final Key<Value> COST =
      Key.of(
              "cost",
              new AnyOf(
                  EXPECTED,
                  List.of(
                      LONG,
                      new Form("response bytes", Pattern.compile("response bytes")),
                      new Mapping(KEYS))),
              "The permits that a request takes of each limit. A param has a number or `response"
                  + " bytes`.",
              "5")
          .otherwise("`" + Cost.ONE + "`")
          .inParams();

  /** Reads the cost in a rule. It is 1 by default, and empty when there is a problem. */
  Optional<Cost> read(Section rule) {
    return rule.read(COST.name(), Cost.ONE, this::cost);
  }

  private Optional<Cost> cost(Value value) {
    if (value.isText("response " + BYTES)) {
      return Optional.of(ofResponse());
    }
    if (!value.isMapping()) {
      return granted(value, 1).map(Cost::of);
    }
    Optional<Section> map = KEYS.read(value);
    Optional<Kind> kind = map.flatMap(KEYS::kind);
    Optional<Cost> cost =
        map.flatMap(keys -> RESPONSE.isIn(keys) ? bytes(keys) : stated(keys, value));
    return kind.flatMap(one -> cost);
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
    Optional<String> what = RESPONSE.in(map).flatMap(value -> value.oneOf(List.of(BYTES)));
    Optional<Cost> cost =
        map.read(
            RESERVE.name(),
            ofResponse(),
            value ->
                AMOUNT
                    .read(value)
                    .filter(most -> isGranted(value, most))
                    .map(Cost.OfResponse::new));
    return what.flatMap(read -> cost);
  }

  private Optional<Cost> stated(Section map, Value value) {
    long from = FROM.orDefault(map);
    Optional<Long> to =
        TO.required(map, "the most that a request costs").flatMap(most -> granted(most, from));
    Optional<Long> otherwise =
        OTHERWISE.written(map).map(it -> it.whole(from, to.orElse(Long.MAX_VALUE))).orElse(to);
    Optional<Cost.Bounds> bounds =
        to.flatMap(
            most ->
                otherwise.flatMap(other -> value.make(() -> new Cost.Bounds(from, most, other))));
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
