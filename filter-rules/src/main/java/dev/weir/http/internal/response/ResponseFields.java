package dev.weir.http.internal.response;

import dev.weir.http.ResponseStyle;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Body;
import dev.weir.http.spi.Outcome.Field;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;

/** The formatter that turns a decision into a response. All fields are formatted here. */
public final class ResponseFields {

  /** The longest retry-after of a shed request. */
  private static final long BUSY_SECONDS = 3;

  private static final Field NO_STORE = new Field("Cache-Control", "no-store");

  private final ResponseStyle style;
  private final ResponseStyle.Fields draft;
  private final boolean hasLegacy;
  private final Policies policies;

  public ResponseFields(ResponseStyle style) {
    this.style = style;
    draft = style.fields();
    hasLegacy = style.legacy() != ResponseStyle.Legacy.OFF;
    policies = new Policies(draft);
  }

  /** Returns the outcome of a request that may pass, with all that was decided for it so far. */
  public Outcome.Passed passed(List<Verdict> verdicts) {
    if (verdicts.isEmpty()) {
      return Outcome.Passed.SILENTLY;
    }
    // of all verdicts together, as one decision would say; its source has no effect
    Verdict binding =
        verdicts.size() == 1
            ? verdicts.get(0)
            : Decision.counted(Source.LOCAL, verdicts, Receipt.nothing(Source.LOCAL)).binding();
    return new Outcome.Passed(fields(verdicts, binding), Optional.empty());
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
      return rejected(ProblemBody.quotaExceeded(style, counted, retryAfter), fields);
    }
    return rejected(ProblemBody.reducedCapacity(style, retryAfter), fields);
  }

  /** Returns the outcome of a request whose client a rule denies. Waiting does not change it. */
  public Outcome.Rejected forbidden() {
    return rejected(ProblemBody.forbidden(), List.of(NO_STORE));
  }

  /**
   * Returns the outcome of a request that the node has no room for. The retry-after is random, so
   * that shed clients do not all return at once.
   */
  public Outcome.Rejected shed() {
    long seconds = ThreadLocalRandom.current().nextLong(1, BUSY_SECONDS + 1);
    return rejected(Decision.failClosed(Duration.ofSeconds(seconds)), List.of());
  }

  private Outcome.Rejected rejected(ProblemBody problem, List<Field> fields) {
    Body body =
        style.denied() == ResponseStyle.Denied.ERROR_PAGE
            ? new Body.ErrorPage(problem.withoutPolicies().body())
            : problem.body();
    return new Outcome.Rejected(problem.status(), fields, body);
  }

  private List<Field> fields(List<Verdict> verdicts, Verdict binding) {
    OptionalLong seconds = secondsUntilChange(binding);
    Optional<Field> policy = policies.of(verdicts, binding);
    if (draft == ResponseStyle.Fields.DRAFT_11 && !hasLegacy) { // nearly always
      return List.of(policy.orElseThrow(), IetfDraft11.limit(binding, seconds));
    }
    List<Field> fields = new ArrayList<>(7);
    policy.ifPresent(fields::add);
    switch (draft) {
      case DRAFT_11 -> fields.add(IetfDraft11.limit(binding, seconds));
      case DRAFT_7 -> fields.add(EarlierDrafts.of(binding, seconds).draft7());
      case DRAFT_6 -> fields.addAll(EarlierDrafts.of(binding, seconds).draft6());
      case OFF -> {}
    }
    if (hasLegacy) {
      long limit = binding.counter().limit().capacity();
      fields.add(new Field("X-RateLimit-Limit", Long.toString(limit)));
      fields.add(new Field("X-RateLimit-Remaining", Long.toString(binding.remaining())));
      seconds.ifPresent(t -> fields.add(new Field("X-RateLimit-Reset", Long.toString(t))));
    }
    return fields;
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
