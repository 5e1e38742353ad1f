package dev.weir.redis;

import java.util.List;
import java.util.stream.Stream;

/** The traces of each limit. */
final class AllTraces {

  static final Traces<BucketModel> TOKEN_BUCKET =
      new Traces<>(
          "token bucket",
          BucketModel.NONE,
          Traces.parsed(
              List.of(
                  List.of("3 per second, burst 6"),
                  List.of("10 per second, burst 5"),
                  List.of("100 per second"),
                  List.of("1 per 30 days"),
                  List.of("7 per 30 days, burst 3"),
                  List.of("10_000_000 per second, burst 1000"),
                  List.of("9_999_991 per second, burst 9_000_000_000"),
                  List.of("999_983 per 1_000_003us, burst 13"),
                  List.of("5 per minute, burst 1"),
                  List.of("1_000_000 per 366 days, burst 1_000_000"),
                  List.of("1 per 7us, burst 123_456_789"),
                  List.of("17 per 31 days, burst 2_000"),
                  List.of("999_983 per 366 days, burst 150_000"),
                  List.of("3 per second, burst 6", "7 per second, burst 40", "1 per second"),
                  List.of("17 per 31 days, burst 200", "13 per 31 days, burst 3"),
                  List.of("999_983 per 366 days, burst 15", "999_979 per 366 days, burst 15"))),
          BucketWalk::new,
          new BucketPromise());

  static final Traces<BucketModel> LEAKY_BUCKET =
      new Traces<>(
          "leaky bucket",
          BucketModel.NONE,
          Traces.parsed(
              List.of(
                  List.of("3 per second leaky, capacity 6"),
                  List.of("2 per second leaky, capacity 20"),
                  List.of("10_000_000 per second leaky, capacity 1000"),
                  List.of("9_999_991 per second leaky, capacity 4_000_000_000"),
                  List.of("1 per 7us leaky, capacity 123_456_789"),
                  List.of("999_983 per 1_000_003us leaky, capacity 13"),
                  List.of("5 per minute leaky, capacity 1"),
                  List.of("17 per 31 days leaky, capacity 2_000"),
                  List.of("3 per second leaky, capacity 6", "7 per second leaky, capacity 20"))),
          BucketWalk::new,
          new BucketPromise());

  static final Traces<WindowModel> FIXED_WINDOW =
      new Traces<>(
          "fixed window from its first request",
          WindowModel.NONE,
          Traces.parsed(
              List.of(
                  List.of("10 per 10s window"),
                  List.of("3 per second window", "5 per second window", "1 per second window"),
                  List.of("1000 per day window", "500 per hour window", "7 per 30 days window"),
                  List.of("9007199254740991 per 366 days window"),
                  List.of("7 per 3us window"))),
          WindowWalk::new,
          new WindowPromise());

  static final Traces<WindowModel> ALIGNED_WINDOW =
      new Traces<>(
          "fixed window aligned to a calendar",
          WindowModel.NONE,
          Traces.parsed(
              List.of(
                  List.of("100 per day window Europe/Berlin", "50 per day window Europe/Berlin"),
                  List.of("100 per hour window Asia/Kolkata"),
                  List.of(
                      "20 per month window America/New_York",
                      "20 per week window America/New_York"),
                  List.of("5 per minute window UTC", "5 per second window UTC"),
                  List.of("5 per hour window Australia/Lord_Howe", "9 per 2 hours window"))),
          WindowWalk::new,
          new WindowPromise());

  static final Traces<SlidingModel> SLIDING_WINDOW =
      new Traces<>(
          "sliding window",
          SlidingModel.NONE,
          Traces.parsed(
              List.of(
                  List.of("10 per 10s sliding"),
                  List.of("3 per second sliding", "5 per second sliding", "1 per second sliding"),
                  List.of(
                      "100 per minute sliding, sub-windows 6",
                      "30 per minute sliding, sub-windows 9"),
                  List.of(
                      "1000 per day sliding, sub-windows 24",
                      "50 per hour sliding, sub-windows 60"),
                  List.of("9007199254740991 per 366 days sliding, sub-windows 1"),
                  List.of("7 per 3us sliding", "7 per 4us sliding, sub-windows 1"),
                  List.of(
                      "20 per second sliding, sub-windows 7", "20 per 2s sliding, sub-windows 3"))),
          SlidingWalk::new,
          new SlidingPromise());

  static final Traces<HoldModel> CONCURRENCY =
      new Traces<>(
          "concurrency",
          HoldModel.NONE,
          Traces.parsed(
              List.of(
                  List.of("4 concurrent, ttl 10s"),
                  List.of("1 concurrent, ttl 1s"),
                  List.of("5 concurrent", "3 concurrent", "6 concurrent"),
                  List.of("4 concurrent, ttl 1s", "4 concurrent, ttl 1m", "3 concurrent, ttl 10s"),
                  List.of("100 concurrent, ttl 366 days", "100 concurrent, ttl 1s"))),
          HoldWalk::new,
          new HoldPromise());

  /** A bucket that lends to nodes; whatever its times, each lease ends within 20 ms. */
  static final Traces<BucketModel> LENDING_BUCKET =
      new Traces<>(
          "token bucket that lends",
          null,
          Traces.parsed(
              List.of(
                  List.of("1000 per second, burst 1000"),
                  List.of("100_000 per second, burst 500"),
                  List.of("10_000_000 per second, burst 1000"),
                  List.of("50 per second, burst 40"),
                  List.of("3 per second, burst 6"),
                  List.of("300 per second, burst 4"),
                  List.of("999_983 per 1_000_003us, burst 13"),
                  List.of("1 per 7us, burst 123_456_789"),
                  List.of("1_000_000 per 366 days, burst 1_000_000"),
                  List.of("17 per 31 days, burst 2_000"),
                  List.of("999_983 per 366 days, burst 150_000"),
                  List.of("1000 per second, burst 1000", "3000 per second, burst 200"),
                  List.of("7 per 3ms, burst 900", "1 per second, burst 60", "4 per ms, burst 40"),
                  List.of("5 per ms, burst 80", "1 per ms, burst 80"))),
          LeaseWalk::new,
          new LeasePromise());

  /** The same for a window. */
  static final Traces<WindowModel> LENDING_WINDOW =
      new Traces<>(
          "fixed window that lends",
          null,
          Traces.parsed(
              List.of(
                  List.of("1000 per second window"),
                  List.of("40 per 25ms window", "60 per 25ms window"),
                  List.of("500 per 100ms window"),
                  List.of("3 per 10ms window"),
                  List.of("9007199254740991 per 366 days window"),
                  List.of("100_000 per day window Europe/Berlin"),
                  List.of("200 per second window UTC", "100 per second window UTC"))),
          LeaseWalk::new,
          new LendingWindowPromise());

  private AllTraces() {}

  /** Returns the traces of limits that lend, which have no exact model. */
  static Stream<Traces<?>> lending() {
    return Stream.of(LENDING_BUCKET, LENDING_WINDOW);
  }

  /** Returns the traces of limits that count what passes. */
  static Stream<Traces<?>> passing() {
    return Stream.of(TOKEN_BUCKET, LEAKY_BUCKET, FIXED_WINDOW, ALIGNED_WINDOW, SLIDING_WINDOW);
  }

  static Stream<Traces<?>> all() {
    return Stream.concat(passing(), Stream.of(CONCURRENCY));
  }
}
