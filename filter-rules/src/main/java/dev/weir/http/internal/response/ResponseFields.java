package dev.weir.http.internal.response;

import dev.weir.http.DenialResponse;
import dev.weir.http.DenialResponse.Page;
import dev.weir.http.RequestView;
import dev.weir.http.ResponseStyle;
import dev.weir.http.ResponseStyle.Legacy;
import dev.weir.http.Rule;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Body;
import dev.weir.http.spi.Outcome.Field;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Source;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** The formatter that turns a decision into a response. All fields are formatted here. */
public final class ResponseFields {

  /** The longest retry-after of a shed request. */
  private static final long BUSY_SECONDS = 3;

  private static final Field NO_STORE = new Field("Cache-Control", "no-store");

  private final ResponseStyle style;
  private final ResponseStyle.Fields draft;
  private final boolean hasLegacy;
  private final boolean hasTimeOfDay;
  private final Policies policies;
  private final CommonAnswers commonAnswers = new CommonAnswers();
  private final Clock clock;

  /** The response of each rule, as many as are configured. */
  private final Map<DenialResponse, DenialTemplate> templates = new ConcurrentHashMap<>();

  public ResponseFields(ResponseStyle style) {
    this(style, Clock.systemUTC());
  }

  public ResponseFields(ResponseStyle style, Clock clock) {
    this.style = style;
    this.clock = clock;
    draft = style.fields();
    hasLegacy = style.legacy() != Legacy.OFF;
    hasTimeOfDay = style.legacy() == Legacy.X_RATELIMIT_EPOCH;
    policies = new Policies(draft);
  }

  /** Returns the outcome of a request that may pass, with all that was decided for it so far. */
  public Outcome.Passed passed(List<Verdict> verdicts) {
    if (verdicts.isEmpty()) {
      return Outcome.Passed.SILENTLY;
    }
    if (verdicts.size() > 1) {
      // of all verdicts together, as one decision would say; its source has no effect
      Verdict binding =
          Decision.counted(Source.LOCAL, verdicts, Receipt.nothing(Source.LOCAL)).binding();
      return new Outcome.Passed(fields(verdicts, binding), Optional.empty());
    }
    Verdict only = verdicts.get(0);
    boolean isCommon =
        only.remaining() <= CommonAnswers.MOST_REMAINING && only.fits() && !hasTimeOfDay;
    Outcome.Passed known = isCommon ? commonAnswers.get(only) : null;
    if (known == null) {
      known = new Outcome.Passed(fields(verdicts, only), Optional.empty());
      if (isCommon) {
        commonAnswers.put(only, known);
      }
    }
    return known;
  }

  /** Returns the outcome of a request that is denied by no rule alone, whatever it accepts. */
  public Outcome.Rejected rejected(Decision decision, List<Verdict> verdicts) {
    DenialFacts facts = DenialFacts.of(decision, Optional.empty());
    return rejected(decision, verdicts, style.denied(), facts, List.of());
  }

  /**
   * Returns the outcome of a request that this decision denied, by the response of this rule. Keeps
   * on the request what was denied.
   *
   * @param verdicts the limits to report; none for a banned request, which was denied before them
   */
  public Outcome.Rejected rejected(
      Decision decision, List<Verdict> verdicts, Rule rule, RequestView request) {
    DenialFacts facts = DenialFacts.of(decision, Optional.of(rule.name()));
    facts.keepOn(request);
    return rejected(decision, verdicts, responseOf(rule), facts, request.headers("Accept"));
  }

  /** Returns the outcome of a request whose client a rule denies. Waiting does not change it. */
  public Outcome.Rejected forbidden(Rule rule, RequestView request) {
    request.logAttribute(RequestLimiter.DENIED_RULE, rule.name());
    Body.Text problem = ProblemBody.forbidden().body();
    boolean isErrorPage =
        responseOf(rule).page().filter(page -> page instanceof Page.ErrorPage).isPresent();
    Body body = isErrorPage ? new Body.ErrorPage(problem) : problem;
    return new Outcome.Rejected(403, List.of(NO_STORE), List.of(), body);
  }

  /**
   * Returns the outcome of a request that the node has no room for. The retry-after is random, so
   * that shed clients do not all return at once. The application has no part in the response.
   */
  public Outcome.Rejected shed(RequestView request) {
    long seconds = ThreadLocalRandom.current().nextLong(1, BUSY_SECONDS + 1);
    Decision busy = Decision.failClosed(Duration.ofSeconds(seconds));
    DenialFacts facts = DenialFacts.of(busy, Optional.empty());
    facts.keepOn(request);
    DenialResponse response =
        style.denied().page().filter(page -> page instanceof Page.Forward).isPresent()
            ? style.denied().withoutPage()
            : style.denied();
    return rejected(busy, List.of(), response, facts, request.headers("Accept"));
  }

  private DenialResponse responseOf(Rule rule) {
    return rule.onDenial().response().orElse(style.denied());
  }

  private Outcome.Rejected rejected(
      Decision decision,
      List<Verdict> verdicts,
      DenialResponse response,
      DenialFacts facts,
      List<String> accept) {
    List<Field> fields = new ArrayList<>(7);
    facts
        .value(TextTemplate.Name.SECONDS)
        .ifPresent(it -> fields.add(new Field("Retry-After", it)));
    fields.add(NO_STORE);
    ProblemBody problem;
    if (decision instanceof Decision.Counted counted) {
      if (!verdicts.isEmpty()) {
        fields.addAll(fields(verdicts, counted.binding()));
      }
      problem = ProblemBody.quotaExceeded(style, response.status(), counted, facts.seconds());
    } else {
      problem = ProblemBody.reducedCapacity(style, facts.seconds());
    }
    return templates
        .computeIfAbsent(response, DenialTemplate::new)
        .rejected(problem, fields, facts, accept);
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
      seconds.ifPresent(t -> fields.add(new Field("X-RateLimit-Reset", Long.toString(reset(t)))));
    }
    return fields;
  }

  /** Returns the seconds, or the end of the second that is as far away, since 1970. */
  private long reset(long seconds) {
    return hasTimeOfDay
        ? QuotaPolicy.roundedUp(Duration.ofMillis(clock.millis())) + seconds
        : seconds;
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
