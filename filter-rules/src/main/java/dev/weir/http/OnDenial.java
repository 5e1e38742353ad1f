package dev.weir.http;

import dev.weir.internal.Expect;
import dev.weir.internal.Spans;
import dev.weir.limit.SlidingWindow;
import dev.weir.store.Counter;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What happens to a request that a rule denies. */
public sealed interface OnDenial {

  /** Returns the response to a request that is rejected. Empty where the style of all holds. */
  Optional<DenialResponse> response();

  /**
   * The request is rejected. The client may retry later.
   *
   * @param response of this rule alone; empty where the style of all holds
   * @param ban of subjects that are denied again and again; empty when none is banned
   */
  record Reject(Optional<DenialResponse> response, Optional<Ban> ban) implements OnDenial {

    public Reject {
      Objects.requireNonNull(response, "response");
      Objects.requireNonNull(ban, "ban");
    }

    /** Returns the same with this response. */
    public Reject respondingWith(DenialResponse own) {
      return new Reject(Optional.of(own), ban);
    }

    @Override
    public OnDenial banning(Ban other) {
      return new Reject(response, Optional.of(other));
    }
  }

  /**
   * The request passes as if the rule did not exist. The decision of the rule is only counted and
   * reported. In this way a limit is tried alongside those in use. A shadow must have limits of its
   * own. Otherwise it would consume permits that other rules need.
   *
   * @param trial the kind of rules with which it decides as one, as if it were none. Empty for a
   *     shadow that decides alone
   */
  record Shadow(Optional<Rule.Kind> trial) implements OnDenial {

    public Shadow {
      Objects.requireNonNull(trial, "trial");
    }

    @Override
    public Optional<DenialResponse> response() {
      return Optional.empty();
    }

    @Override
    public Optional<Ban> ban() {
      return Optional.empty();
    }

    @Override
    public OnDenial banning(Ban ban) {
      return this;
    }
  }

  /**
   * The request is served something cheaper. It passes, and its attribute {@link
   * RequestLimiter#DEGRADED} reports this to the application.
   *
   * @param path the path to which a servlet filter forwards the request; empty when it keeps its
   *     own path, as it always does in JAX-RS
   */
  record Degrade(Optional<String> path) implements OnDenial {

    private static final Pattern PATH = Pattern.compile("/[^\\s\\p{Cntrl}]*");

    /**
     * @throws IllegalArgumentException when the path does not start with a slash, or has blanks
     */
    public Degrade {
      Objects.requireNonNull(path, "path");
      if (path.filter(to -> !PATH.matcher(to).matches()).isPresent()) {
        throw Expect.failure(
            "degrade to",
            "'" + path.get() + "'",
            "a path within the application that starts with /, without blanks");
      }
    }

    @Override
    public Optional<DenialResponse> response() {
      return Optional.empty();
    }

    @Override
    public Optional<Ban> ban() {
      return Optional.empty();
    }

    @Override
    public OnDenial banning(Ban ban) {
      throw Expect.failure(
          "ban", "a ban with on-denial: degrade", "reject or delay, for a degraded request passes");
    }
  }

  /**
   * The request waits until it can run, and then passes. If that would take too long, it is
   * rejected at once. It is charged as of the instant at which it runs.
   *
   * @param maxWait more than zero, at most ten minutes
   * @param response of this rule alone to what is rejected; empty where the style of all holds
   * @param ban of subjects that are denied again and again; empty when none is banned
   */
  record Delay(Duration maxWait, Optional<DenialResponse> response, Optional<Ban> ban)
      implements OnDenial {

    private static final Duration LONGEST = Duration.ofMinutes(10);

    /**
     * @throws IllegalArgumentException when the wait is out of its range
     */
    public Delay {
      Objects.requireNonNull(response, "response");
      Objects.requireNonNull(ban, "ban");
      if (maxWait.isNegative() || maxWait.isZero() || maxWait.compareTo(LONGEST) > 0) {
        String given =
            maxWait.compareTo(LONGEST) > 0 ? Spans.print(maxWait) : maxWait.toMillis() + "ms";
        throw Expect.failure("delay up to", given, "more than 0, at most 10 minutes");
      }
    }

    /** Returns the same with this response to what is rejected. */
    public Delay respondingWith(DenialResponse own) {
      return new Delay(maxWait, Optional.of(own), ban);
    }

    @Override
    public OnDenial banning(Ban other) {
      return new Delay(maxWait, response, Optional.of(other));
    }
  }

  /**
   * A ban: a subject that a rule denies again and again is refused for a while, on all nodes. The
   * denials of all nodes count together. Each node sends those of a subject at most once a second.
   * The requests of the rule that come from a banned subject are denied before any limit is
   * charged. They do not count, and do not lengthen the ban. A ban begins with no denials counted.
   *
   * @param length of the ban, from a second to 366 days
   * @param denials how many of them ban, and in which time
   */
  record Ban(Duration length, SlidingWindow denials) {

    /** The form of a ban, as {@link #parse} reads it. */
    public static final String FORM = "a ban such as 15m after 20 denials in 1m";

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final long MOST_DENIALS = 1_000_000;

    private static final Pattern TEXT =
        Pattern.compile("(.+?)\\s+after\\s+([0-9_]+)\\s+denials?\\s+in\\s+(.+)");

    /**
     * @throws IllegalArgumentException when the ban or the time of the denials is shorter than a
     *     second or longer than 366 days, or there are no denials or more than a million
     */
    public Ban {
      validate("length", length);
      validate("time", denials.length());
      if (denials.quota() > MOST_DENIALS) {
        throw Expect.failure("denials", denials.quota(), "at most " + MOST_DENIALS);
      }
    }

    private static void validate(String field, Duration time) {
      Spans.validate(field, time);
      if (time.compareTo(SHORTEST) < 0) {
        throw Expect.failure(field, Spans.print(time), "at least 1 second");
      }
    }

    /**
     * Returns the ban in its one-line form, such as {@code 15m after 20 denials in 1m}.
     *
     * @throws IllegalArgumentException when it has another form, or a number is out of its range
     */
    public static Ban parse(String text) {
      Matcher parts = TEXT.matcher(text.strip());
      if (!parts.matches()) {
        throw Expect.failure("ban", "'" + text + "'", FORM);
      }
      long count = Expect.whole("denials", parts.group(2));
      Expect.positive("denials", count);
      Duration length = span("length", parts.group(1));
      Duration time = span("time", parts.group(3));
      validate("time", time); // before it is cut into sub-windows
      return new Ban(length, new SlidingWindow(count, time, SlidingWindow.MOST_SUB_WINDOWS));
    }

    private static Duration span(String field, String text) {
      return Spans.parse(text)
          .orElseThrow(
              () ->
                  Expect.failure(
                      field, "'" + text + "'", "a length of time with its unit, such as 15m"));
    }

    /** Checks that no client can have another one banned by this rule. */
    void validate(Rule rule) {
      Counter.validateName(counterName(rule.name()));
      Optional<String> instead = rule.subject().insteadOfBans(rule.clients().keys());
      if (instead.isPresent()) {
        throw Expect.failure("ban", "a ban by subject " + rule.subject(), instead.get());
      }
    }

    /** Returns the counter of a subject's denials. While the subject is banned, it is blocked. */
    public Counter counter(String rule, Subject subject) {
      return new Counter(counterName(rule), denials, subject);
    }

    /** Returns the name of the counters of a rule's bans. No limit may have it. */
    public static String counterName(String rule) {
      return "ban:" + rule;
    }

    /** Returns the form that {@link #parse} reads. */
    @Override
    public String toString() {
      String time = Spans.printCounted(denials.length());
      return Spans.printCounted(length)
          + " after "
          + denials.quota()
          + (denials.quota() == 1 ? " denial in " : " denials in ")
          + time;
    }
  }

  /** Returns the ban of subjects that are denied again and again. Empty when none is banned. */
  Optional<Ban> ban();

  /**
   * Returns the same with this ban. A {@link Shadow} denies nothing, so it bans nothing either.
   *
   * @throws IllegalArgumentException when a denied request passes in a degraded form
   */
  OnDenial banning(Ban ban);

  /** The {@link Reject} without a response of its own, and without a ban. */
  Reject REJECT = new Reject(Optional.empty(), Optional.empty());

  /** The {@link Shadow} that decides alone. */
  OnDenial SHADOW = new Shadow(Optional.empty());

  /** The {@link Degrade} without a path. The request keeps its own path. */
  OnDenial DEGRADE = new Degrade(Optional.empty());

  /**
   * Returns a {@link Degrade} that forwards to this path.
   *
   * @throws IllegalArgumentException when the path does not start with a slash, or has blanks
   */
  static OnDenial degradeTo(String path) {
    return new Degrade(Optional.of(path));
  }

  /**
   * Returns a {@link Delay} with this longest wait.
   *
   * @throws IllegalArgumentException when that is not more than zero, or more than ten minutes
   */
  static Delay delayUpTo(Duration maxWait) {
    return new Delay(maxWait, Optional.empty(), Optional.empty());
  }
}
