package dev.weir;

import dev.weir.LimiterCore.NamedLimit;
import dev.weir.internal.Expect;
import dev.weir.limit.Limit;
import dev.weir.local.LocalLimitStore;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A limiter over several limits. A request is charged to all of them, or to none, and the decision
 * names the limit that binds. Immutable, thread-safe and cheap; there is nothing to close but a
 * store, by its owner.
 *
 * <pre>{@code
 * MultiLimiter calls = MultiLimiter.of("20 per second", "1000 per day window UTC");
 * Decision decision = calls.tryAcquire("user-42");
 * System.out.println(decision.limitName().orElse("the outage policy") + " binds");
 * }</pre>
 *
 * <p>{@code 20 per second} is a token bucket here too: it grants up to 40 in the first second, see
 * {@link Limit#parse}.
 *
 * <p>Limits may count different subjects, and have names of their own:
 *
 * <pre>{@code
 * MultiLimiter calls =
 *     MultiLimiter.builder()
 *         .limit("user", "20 per second", subject -> subject.only("user"))
 *         .limit("tenant", "1000 per day window UTC", subject -> subject.only("tenant"))
 *         .limit("all", "5000 per second", subject -> Subject.global())
 *         .build();
 * calls.tryAcquire(Subject.of("user", "42").and("tenant", "acme"));
 * }</pre>
 *
 * <p>Everything else is as for {@link TokenLimiter}. A change such as {@link #reset} is made for
 * each limit. {@link #tryAcquireUpTo} takes the same number of permits of each limit, and asks the
 * store again for what a denial says is left. {@link #reserve} takes the same number of each limit
 * too, and a commit states one number for all. {@link Reservation} has the way for different
 * numbers. With several limits, requests also wait in an outage, for what the fallback counts.
 * Concurrency limits are not among these limits, since their permits have to be closed: see {@link
 * ConcurrencyLimiter#withLimit(String, String)}.
 */
public final class MultiLimiter extends Limiter<MultiLimiter> {

  private MultiLimiter(LimiterCore core) {
    super(core);
  }

  /** Returns a limiter of this process alone, as {@link #of(LimitStore, String...)} does. */
  public static MultiLimiter of(String... limits) {
    return of(LocalLimitStore.of(), limits);
  }

  /**
   * Returns a limiter over limits in their one-line form, as {@link Limit#parse} reads it. Each is
   * named by the text that it prints. So limiters with the same limits and store share counters. A
   * {@linkplain #builder builder} gives other names.
   *
   * <p>The store comes first, since any number of limits follows. Unlike {@link
   * TokenLimiter#of(String, String, LimitStore)}, this has no name among its texts.
   *
   * @param limits at least one, and none twice
   * @throws IllegalArgumentException when a text is not a limit, or is a concurrency limit
   */
  public static MultiLimiter of(LimitStore store, String... limits) {
    Builder builder = builder().store(store);
    for (String limit : limits) {
      Limit parsed = Limit.parse(limit);
      builder.limit(parsed.toString(), parsed);
    }
    return builder.build();
  }

  /** Returns a builder of a limiter without limits yet, in this process alone. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder of a limiter over several limits. Not thread-safe. */
  public static final class Builder {

    private final List<NamedLimit> limits = new ArrayList<>();
    private LimitStore store = LocalLimitStore.of();

    private Builder() {}

    /** Counts in this store, which the limiter does not close. */
    public Builder store(LimitStore newStore) {
      store = Objects.requireNonNull(newStore, "store");
      return this;
    }

    /**
     * Adds a limit in its one-line form. It counts the subject of a request.
     *
     * @param name limiters of one store share the counters of limits with one name
     * @param limit what {@link Limit#parse} reads
     * @throws IllegalArgumentException when the text is not a limit, when {@link Counter} does not
     *     accept the name, or when the limit is a concurrency limit
     */
    public Builder limit(String name, String limit) {
      return limit(name, Limit.parse(limit));
    }

    /**
     * Adds a limit that counts the subject of a request.
     *
     * @param name limiters of one store share the counters of limits with one name
     * @throws IllegalArgumentException when {@link Counter} does not accept the name, or the limit
     *     is a concurrency limit
     */
    public Builder limit(String name, Limit limit) {
      return limit(name, limit, UnaryOperator.identity());
    }

    /**
     * Adds a limit in its one-line form that counts another subject.
     *
     * @param name limiters of one store share the counters of limits with one name
     * @param limit what {@link Limit#parse} reads
     * @param counted returns the subject of this limit for that of a request, as for {@link
     *     #limit(String, Limit, UnaryOperator)}
     * @throws IllegalArgumentException when the text is not a limit, when {@link Counter} does not
     *     accept the name, or when the limit is a concurrency limit
     */
    public Builder limit(String name, String limit, UnaryOperator<Subject> counted) {
      return limit(name, Limit.parse(limit), counted);
    }

    /**
     * Adds a limit that counts another subject.
     *
     * @param name limiters of one store share the counters of limits with one name
     * @param counted returns the subject of this limit for that of a request, such as {@code
     *     subject -> subject.only("tenant")}. What it throws is thrown by the methods of the
     *     limiter
     * @throws IllegalArgumentException when {@link Counter} does not accept the name, or the limit
     *     is a concurrency limit
     */
    public Builder limit(String name, Limit limit, UnaryOperator<Subject> counted) {
      if (limit.algorithm().isHeld()) {
        throw Expect.failure(
            "limit", "'" + limit + "'", "a limit whose permits are spent; or a ConcurrencyLimiter");
      }
      limits.add(new NamedLimit(name, limit, counted));
      return this;
    }

    /**
     * Returns the limiter.
     *
     * @throws IllegalArgumentException when there is no limit, or two have one name
     */
    public MultiLimiter build() {
      return new MultiLimiter(LimiterCore.of(limits, store));
    }
  }

  /** Asks for what the last denial has left, which is less each time. */
  @Override
  public Decision tryAcquireUpTo(Subject subject, long permits) {
    AcquireRequest request = core.request(subject, permits, AcquireRequest.Mode.EXACTLY).begun();
    long requested = permits;
    while (true) {
      Decision decision = decide(request);
      if (decision.allowed() || !(decision instanceof Decision.Counted denial)) {
        return decision;
      }
      long left = denial.verdicts().stream().mapToLong(Decision.Verdict::remaining).min().orElse(0);
      long next = Math.max(1, left);
      if (next >= requested) {
        return decision;
      }
      requested = next;
      request =
          new AcquireRequest(
              core.charges(subject, requested), request.onOutage(), request.deadline());
    }
  }

  @Override
  MultiLimiter with(LimiterCore newCore) {
    return new MultiLimiter(newCore);
  }
}
