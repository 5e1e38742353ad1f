package dev.weir.cli;

import dev.weir.config.Configuration;
import dev.weir.http.OnDenial;
import dev.weir.http.OnDenial.Ban;
import dev.weir.http.OnDenial.Delay;
import dev.weir.http.OnDenial.Reject;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.RuleLimiter;
import dev.weir.http.RuleListener;
import dev.weir.http.spi.Outcome;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.LimitStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What an application would answer to a request, and why. The application's own limiter decides:
 * once by each rule alone, to show what each does, and once by all of them. Nothing is charged.
 *
 * @param parts the rules that apply
 * @param outcome by all rules together. Rules that delay reject here, since nothing waits
 * @param request with what the limiter has kept on it
 * @param delay how long the request would wait before it passes; empty when it would not
 */
record Explanation(
    List<Part> parts, Outcome outcome, ExplainedRequest request, Optional<Duration> delay) {

  /** What one rule alone decides. */
  enum Word {
    ALLOWS,
    DENIES,
    /** The client is on a list, or has a tier without limits. */
    EXEMPTS,
    /** The client is on a list, or names too many subjects. */
    REFUSES,
    /** The rule has banned the client. */
    BANS
  }

  /**
   * A rule that applies.
   *
   * @param verdicts the states of its counters, before a charge
   */
  record Part(Rule rule, Word word, List<Verdict> verdicts) {}

  /**
   * Explains the request by this configuration and the counters of this store.
   *
   * @throws Failure when the store does not answer
   */
  static Explanation of(
      Configuration configuration, ExplainedRequest request, LimitStore store, Duration patience) {
    List<Part> parts = new ArrayList<>();
    for (Rule rule : configuration.rules()) {
      Listening listening = new Listening();
      PeekingStore peeking = new PeekingStore(store, patience, Clock.systemUTC());
      Outcome unused =
          decide(configuration, List.of(rule), request.again(), peeking, patience, listening);
      peeking.requireAnswers();
      listening.part(rule, peeking).ifPresent(parts::add);
    }
    ExplainedRequest whole = request.again();
    PeekingStore peeking = new PeekingStore(store, patience, Clock.systemUTC());
    Outcome outcome =
        decide(configuration, configuration.rules(), whole, peeking, patience, new Listening());
    peeking.requireAnswers();
    return new Explanation(parts, outcome, whole, delay(parts, outcome, peeking));
  }

  private static Outcome decide(
      Configuration configuration,
      List<Rule> rules,
      ExplainedRequest request,
      PeekingStore store,
      Duration patience,
      RuleListener listener) {
    RuleLimiter.Settings settings = configuration.settings();
    RuleLimiter.Settings withoutOverload =
        new RuleLimiter.Settings(
            settings.clientAddress(),
            settings.style(),
            patience.multipliedBy(10),
            listener,
            Optional.empty(),
            settings.functions(),
            settings.tags());
    List<Rule> atOnce = rules.stream().map(Explanation::withoutDelay).toList();
    try (RuleLimiter limiter = RuleLimiter.of(atOnce, store, withoutOverload)) {
      return limiter.limit(request);
    }
  }

  /** Returns a rule that decides now. It would wait otherwise, and charge for its turn. */
  private static Rule withoutDelay(Rule rule) {
    if (!(rule.onDenial() instanceof Delay delay)) {
      return rule;
    }
    OnDenial now = new Reject(delay.response(), delay.ban());
    return rule.toBuilder().onDenial(now).build();
  }

  /** Returns the wait of a request that only rules deny which let it wait for so long. */
  private static Optional<Duration> delay(List<Part> parts, Outcome outcome, PeekingStore peeking) {
    List<Part> rejecting = parts.stream().filter(part -> part.rule().rejects()).toList();
    Optional<Duration> longest =
        rejecting.stream().flatMap(part -> maxWait(part.rule()).stream()).min(Duration::compareTo);
    boolean isCounted =
        outcome instanceof Outcome.Rejected
            && !peeking.seen().isEmpty()
            && peeking.seen().get(0) instanceof Decision.Counted;
    if (longest.isEmpty() || !isCounted) {
      return Optional.empty();
    }
    Duration wait = Duration.ZERO;
    for (Verdict verdict : ((Decision.Counted) peeking.seen().get(0)).verdicts()) {
      if (verdict.fits()) {
        continue;
      }
      boolean isWaitedFor =
          rejecting.stream()
              .filter(part -> charges(part.rule(), verdict))
              .allMatch(part -> maxWait(part.rule()).isPresent() && !isBan(part.rule(), verdict));
      if (!isWaitedFor || !(verdict.retry() instanceof Retry.After after)) {
        return Optional.empty();
      }
      wait = after.time().compareTo(wait) > 0 ? after.time() : wait;
    }
    return Optional.of(wait).filter(it -> it.compareTo(longest.get()) <= 0);
  }

  private static Optional<Duration> maxWait(Rule rule) {
    return rule.onDenial() instanceof Delay delay ? Optional.of(delay.maxWait()) : Optional.empty();
  }

  private static boolean charges(Rule rule, Verdict verdict) {
    return isBan(rule, verdict)
        || rule.limits().stream().map(NamedLimit::name).anyMatch(verdict.counter().name()::equals);
  }

  /** Returns whether this is the counter of denials by which the rule bans. */
  static boolean isBan(Rule rule, Verdict verdict) {
    return rule.onDenial().ban().isPresent()
        && verdict.counter().name().equals(Ban.counterName(rule.name()));
  }

  /** Records what a limiter with one rule decides. */
  private static final class Listening implements RuleListener {

    private Optional<Word> word = Optional.empty();

    @Override
    public void onRequestDecided(
        List<Rule> rules, RuleOutcome outcome, Optional<Decision> decision) {
      word =
          Optional.of(
              switch (outcome) {
                case ALLOWED -> decision.isPresent() ? Word.ALLOWS : Word.EXEMPTS;
                case DENIED, SHADOW_DENIED -> decision.isPresent() ? Word.DENIES : Word.REFUSES;
                case BANNED -> Word.BANS;
              });
    }

    /** Returns what the rule decides; empty if it does not apply. */
    Optional<Part> part(Rule rule, PeekingStore peeked) {
      List<Verdict> verdicts =
          peeked.seen().stream()
              .filter(Decision.Counted.class::isInstance)
              .flatMap(decision -> ((Decision.Counted) decision).verdicts().stream())
              .toList();
      return word.map(it -> new Part(rule, it, verdicts));
    }
  }
}
