package dev.weir.http.spi;

import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import java.util.List;

/**
 * A limiter for requests. It takes a request and returns the outcome that an adapter renders. Each
 * rule charges a request once, however many dispatches and adapters call this for it. Nothing that
 * a client sends and no outage makes these methods throw. Thread-safe.
 */
public interface RequestLimiter {

  /**
   * The attribute of a request that must be served something cheaper. Its value is the name of the
   * rule that degrades the request. In JAX-RS it is a property of the request context.
   */
  String DEGRADED = "dev.weir.degraded";

  /**
   * The attribute of a rejected request with the name of the rule that denies it, for pages of the
   * application and logs of the container. A request that the node had no room for has none.
   */
  String DENIED_RULE = "dev.weir.denied.rule";

  /** The attribute with the name of the limit that denies, unless nothing was counted. */
  String DENIED_LIMIT = "dev.weir.denied.limit";

  /**
   * The attribute with the seconds until a retry can succeed, as a {@link Long}. A request that can
   * never succeed has none.
   */
  String DENIED_SECONDS = "dev.weir.denied.seconds";

  /**
   * The attribute of a request that a rule denies because it has banned the subject. Its value is
   * the name of the rule. It is for access logs.
   */
  String BANNED = "dev.weir.banned";

  /**
   * The attribute of a request that a limit denies, for access logs: the rule and the limit, as in
   * {@code login/login}. The limit is {@code -} where nothing was counted: a list refuses the
   * client, or Redis is out. A request that was degraded has it too. One that the node had no room
   * for has {@code -/overload}. Spaces and other characters than printable ASCII are underscores.
   */
  String DENIED = "dev.weir.denied";

  /**
   * The attribute with the source of the denial, in lower case as in metrics, such as {@code
   * redis}. It is {@code rule} for a list. Without a denial, it is that of the first shadow which
   * would deny.
   */
  String SOURCE = "dev.weir.source";

  /**
   * The attribute with the {@linkplain dev.weir.store.SubjectTags tag} of the subject that was
   * denied. It is {@code -} where nothing was counted. Without a denial, it is that of the first
   * shadow which would deny.
   */
  String SUBJECT = "dev.weir.subject";

  /**
   * The attribute of a request that shadows would deny: the rule, the limit and the tag of the
   * subject of each, as in {@code login/login/H36tsnzx}, separated by commas.
   */
  String SHADOW_DENIED = "dev.weir.shadow";

  /** Decides the rules that match this request and were not decided for it before. */
  Outcome limit(RequestView request);

  /**
   * Decides as {@link #limit(RequestView)} does, when the user may not be authenticated yet. While
   * no user is authenticated, rules that count users wait for {@link #limitAfterAuthentication}.
   * May be called again when the path of a request has changed.
   */
  Outcome limitBeforeAuthentication(RequestView request);

  /**
   * Decides the rules that have waited for the user. It decides them without a user too, for
   * example by the address.
   */
  Outcome limitAfterAuthentication(RequestView request);

  /**
   * Decides the rules that are bound to the target that the request was routed to. Rules that were
   * decided for the request before are skipped.
   *
   * @param bound each the same object for all requests; no other rule may define its limits with
   *     other numbers
   */
  Outcome limit(RequestView request, List<Rule> bound);
}
