package dev.weir.http;

import dev.weir.http.internal.check.RuleChecks;
import dev.weir.http.internal.decide.RuleDecider;
import dev.weir.http.internal.decide.RuleEvents;
import dev.weir.http.internal.match.MatchedRule;
import dev.weir.http.internal.match.RuleIndex;
import dev.weir.http.internal.response.ResponseFields;
import dev.weir.http.internal.response.SharedRetries;
import dev.weir.internal.Expect;
import dev.weir.internal.permit.PermitManager;
import dev.weir.internal.wait.WaitQueues;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.Ticker;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A limiter for requests. It takes a request and returns the outcome that an adapter renders.
 * Thread-safe.
 *
 * <p>The rules that reject or delay are decided together, all or none. So are the rules that
 * degrade, in a decision of their own. Each shadow is decided separately. Each rule charges a
 * request once, however many dispatches and adapters call this limiter for it. Nothing that a
 * client sends and no outage makes these methods throw.
 */
public final class RequestLimiter {

  /**
   * The attribute of a request that must be served something cheaper. Its value is the name of the
   * rule that degrades the request. In JAX-RS it is a property of the request context.
   */
  public static final String DEGRADED = "dev.weir.degraded";

  /**
   * The settings that all rules share.
   *
   * @param deadline the longest time of a decision, whatever the store does; more than zero
   */
  public record Settings(
      ClientAddress clientAddress, ResponseStyle style, Duration deadline, RuleListener listener) {

    /** The peer's address, problem bodies, 100 ms, and no listener. */
    public static final Settings DEFAULT =
        new Settings(
            ClientAddress.ofPeer(),
            ResponseStyle.DEFAULT,
            Duration.ofMillis(100),
            RuleListener.NONE);

    /**
     * @throws IllegalArgumentException when the deadline is not positive
     */
    public Settings {
      Objects.requireNonNull(clientAddress, "clientAddress");
      Objects.requireNonNull(style, "style");
      Objects.requireNonNull(listener, "listener");
      Expect.positive("deadline", deadline);
    }

    public Settings withClientAddress(ClientAddress clientAddress) {
      return new Settings(clientAddress, style, deadline, listener);
    }

    public Settings withStyle(ResponseStyle style) {
      return new Settings(clientAddress, style, deadline, listener);
    }

    public Settings withDeadline(Duration deadline) {
      return new Settings(clientAddress, style, deadline, listener);
    }

    public Settings withListener(RuleListener listener) {
      return new Settings(clientAddress, style, deadline, listener);
    }
  }

  private final RuleIndex index;
  private final Set<Rule> own = Collections.newSetFromMap(new IdentityHashMap<>());
  private final RequestDecision.Steps steps;

  /**
   * Creates a limiter with threads of its own. They keep the permits of running requests, and let
   * requests wait. The threads exist only while a request needs them.
   *
   * @param rules in order; those without a matcher are decided only where they are bound
   * @param store not closed by this
   * @throws IllegalArgumentException when two rules have one name, or one limit's name is used for
   *     two different limits. Also when a shadow charges a limit that a rule other than a shadow
   *     charges too
   */
  public RequestLimiter(List<Rule> rules, LimitStore store, Settings settings) {
    this(
        rules,
        store,
        WaitQueues.of(PermitManager.of(store, settings.deadline(), LimiterListener.NONE)),
        settings);
  }

  /**
   * Creates a limiter that uses the threads of these wait queues.
   *
   * @param waitQueues over the same store; not closed by this
   * @throws IllegalArgumentException as above
   */
  public RequestLimiter(
      List<Rule> rules, LimitStore store, WaitQueues waitQueues, Settings settings) {
    this(rules, store, waitQueues, settings, Admission.ofAll(), Ticker.system());
  }

  /**
   * Creates a limiter that admits no more requests at once than this gate.
   *
   * @param overload the settings that the gate follows too; empty when every request is admitted
   * @throws IllegalArgumentException as above
   */
  public RequestLimiter(
      List<Rule> rules,
      LimitStore store,
      WaitQueues waitQueues,
      Settings settings,
      OverloadGate gate,
      Optional<Overload> overload) {
    this(rules, store, waitQueues, settings, new Admission(gate, overload), Ticker.system());
  }

  /** Creates a limiter with this ticker. */
  RequestLimiter(
      List<Rule> rules,
      LimitStore store,
      WaitQueues waitQueues,
      Settings settings,
      Admission admission,
      Ticker ticker) {
    RuleChecks.check(rules);
    Objects.requireNonNull(admission, "admission");
    this.index = new RuleIndex(rules);
    own.addAll(rules);
    RuleEvents events = new RuleEvents(settings.listener());
    this.steps =
        new RequestDecision.Steps(
            settings.clientAddress(),
            new AddressWarnings(settings.clientAddress()),
            admission,
            new ChargeResolver(events),
            new RuleDecider(store, waitQueues, settings.deadline(), events),
            new SharedRetries(ticker),
            new ResponseFields(settings.style()),
            events);
  }

  /** Decides the rules that match this request and were not decided for it before. */
  public Outcome limit(RequestView request) {
    return new RequestDecision(steps, request, index.applying(request)).outcome();
  }

  /**
   * Decides as {@link #limit(RequestView)} does, when the user may not be authenticated yet. While
   * no user is authenticated, rules that count users wait for {@link #limitAfterAuthentication}.
   * May be called again when the path of a request has changed.
   */
  public Outcome limitBeforeAuthentication(RequestView request) {
    List<MatchedRule> applying = index.applying(request);
    List<MatchedRule> ofUsers = MatchedRule.needingUser(applying);
    List<MatchedRule> awaitingUser = ofUsers.isEmpty() || hasUser(request) ? List.of() : ofUsers;
    return new RequestDecision(steps, request, applying, awaitingUser).outcome();
  }

  /**
   * Decides the rules that have waited for the user. It decides them without a user too, for
   * example by the address.
   */
  public Outcome limitAfterAuthentication(RequestView request) {
    List<MatchedRule> all = RequestState.of(request).waiting();
    List<MatchedRule> waiting =
        all.isEmpty() ? all : all.stream().filter(one -> own.contains(one.rule())).toList();
    return new RequestDecision(steps, request, waiting).again();
  }

  /**
   * Decides the rules that are bound to the target that the request was routed to. Rules that were
   * decided for the request before are skipped.
   *
   * @param bound each the same object for all requests; no other rule may define its limits with
   *     other numbers
   */
  public Outcome limit(RequestView request, List<Rule> bound) {
    return new RequestDecision(steps, request, MatchedRule.bound(bound)).outcome();
  }

  private boolean hasUser(RequestView request) {
    try {
      return request.principal().isPresent();
    } catch (RuntimeException e) {
      steps.events().failed("the user is not known before authentication", e);
      return false;
    }
  }
}
