package dev.weir.http.internal.response;

import dev.weir.http.ResponseStyle;
import dev.weir.http.ResponseStyle.Denied;
import dev.weir.http.ResponseStyle.Legacy;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Body;
import dev.weir.http.spi.Outcome.Field;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;

/** The formatter that turns a decision into a response. All fields are formatted here. */
public final class ResponseFields {

  private static final int FORBIDDEN = 403;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVICE_UNAVAILABLE = 503;

  /** The longest retry-after of a shed request. */
  private static final long BUSY_SECONDS = 3;

  private static final Field NO_STORE = new Field("Cache-Control", "no-store");

  private final ResponseStyle style;
  private final ResponseStyle.Fields draft;
  private final boolean hasLegacy;
  private final Policies policies;

  /** Creates a formatter of this style. */
  public ResponseFields(ResponseStyle style) {
    this.style = style;
    draft = style.fields();
    hasLegacy = style.legacy() != Legacy.OFF;
    policies = new Policies(draft);
  }

  /** Returns the outcome of a request that may pass, with all that was decided for it so far. */
  public Outcome.Passed passed(List<Verdict> verdicts) {
    return verdicts.isEmpty()
        ? Outcome.Passed.SILENTLY
        : new Outcome.Passed(fields(verdicts, binding(verdicts)), Optional.empty());
  }

  /** Returns the outcome of a request that this decision denied. */
  public Outcome.Rejected rejected(Decision decision, List<Verdict> verdicts) {
    OptionalLong retryAfter =
        decision.retryAfter().stream()
            .mapToLong(time -> Math.max(1, QuotaPolicy.roundedUp(time)))
            .findFirst();
    List<Field> fields = new ArrayList<>(7);
    retryAfter.ifPresent(seconds -> fields.add(new Field("Retry-After", Long.toString(seconds))));
    fields.add(NO_STORE);
    if (decision instanceof Decision.Counted counted) {
      fields.addAll(fields(verdicts, counted.binding()));
      return new Outcome.Rejected(
          TOO_MANY_REQUESTS, fields, body(ProblemBody.quotaExceeded(style, counted, retryAfter)));
    }
    return new Outcome.Rejected(
        SERVICE_UNAVAILABLE, fields, body(ProblemBody.reducedCapacity(style, retryAfter)));
  }

  /** Returns the outcome of a request whose client a rule denies. Waiting does not change it. */
  public Outcome.Rejected forbidden() {
    return new Outcome.Rejected(FORBIDDEN, List.of(NO_STORE), body(ProblemBody.forbidden()));
  }

  /**
   * Returns the outcome of a request that the node has no room for. The retry-after is random, so
   * that shed clients do not all return at once.
   */
  public Outcome.Rejected shed() {
    long seconds = ThreadLocalRandom.current().nextLong(1, BUSY_SECONDS + 1);
    return new Outcome.Rejected(
        SERVICE_UNAVAILABLE,
        List.of(new Field("Retry-After", Long.toString(seconds)), NO_STORE),
        body(ProblemBody.reducedCapacity(style, OptionalLong.of(seconds))));
  }

  private Body body(ProblemBody problem) {
    return style.denied() == Denied.ERROR_PAGE
        ? new Body.ErrorPage(problem.withoutPolicies().body())
        : problem.body();
  }

  private List<Field> fields(List<Verdict> verdicts, Verdict binding) {
    OptionalLong seconds = secondsUntilChange(binding);
    Optional<Field> policy = policies.of(verdicts, binding);
    List<Field> fields =
        switch (draft) {
          case DRAFT_11 -> List.of(policy.orElseThrow(), IetfDraft11.limit(binding, seconds));
          case DRAFT_7 -> EarlierDrafts.draft7(policy, binding, seconds);
          case DRAFT_6 -> EarlierDrafts.draft6(policy, binding, seconds);
          case OFF -> List.of();
        };
    return hasLegacy ? withLegacy(fields, binding, seconds) : fields;
  }

  private static List<Field> withLegacy(List<Field> fields, Verdict binding, OptionalLong seconds) {
    List<Field> all = new ArrayList<>(fields);
    long limit = binding.counter().limit().capacity();
    all.add(new Field("X-RateLimit-Limit", Long.toString(limit)));
    all.add(new Field("X-RateLimit-Remaining", Long.toString(binding.remaining())));
    seconds.ifPresent(t -> all.add(new Field("X-RateLimit-Reset", Long.toString(t))));
    return all;
  }

  /**
   * Returns the binding verdict of all of them, as one decision would. Its source has no effect.
   */
  private static Verdict binding(List<Verdict> verdicts) {
    if (verdicts.size() == 1) {
      return verdicts.get(0);
    }
    return Decision.counted(Source.LOCAL, verdicts, Receipt.nothing(Source.LOCAL)).binding();
  }

  private static OptionalLong secondsUntilChange(Verdict verdict) {
    if (verdict.retry() instanceof Retry.Never) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        verdict.retry() instanceof Retry.After after
            ? QuotaPolicy.roundedUp(after.nanos())
            : QuotaPolicy.roundedUp(verdict.resetAfterNanos()));
  }
}
