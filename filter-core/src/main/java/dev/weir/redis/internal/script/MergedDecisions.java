package dev.weir.redis.internal.script;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Decisions that are sent in one call, and the reply to each. The call is of {@link Script#BATCH},
 * or of {@link Script#ACROSS} if they are of several slots. Decisions over one counter that are
 * equal in key, limit and permits are merged into one with a count. Decisions of a leaky bucket or
 * a concurrency limit are not merged, because each grant has an instant or a name of its own.
 *
 * <p>Used by one thread.
 */
public final class MergedDecisions {

  /** The arguments of a decision without its time. All decisions of a call are made at one time. */
  private record Question(List<String> keys, List<String> arguments) {

    /**
     * Returns the hash of the keys. Few decisions have the same keys and other arguments, and the
     * hash of a key is cached.
     */
    @Override
    public int hashCode() {
      return keys.hashCode();
    }

    static Question of(ScriptCall call) {
      return new Question(call.keys(), call.arguments().subList(1, call.arguments().size()));
    }

    /** Returns the permits of the only counter. The decision must have one counter. */
    long permits() {
      return Long.parseLong(arguments.get(1));
    }

    /** Returns for each counter the number of its limit among these limits, and its permits. */
    List<String> encoded(Map<List<String>, String> limits) {
      List<String> encoded = new ArrayList<>(2 * keys.size());
      for (int i = 0; i < arguments.size(); ) {
        String letter = arguments.get(i);
        int next = i + 2 + Script.numbers(letter);
        List<String> limit = new ArrayList<>(next - i - 1);
        limit.add(letter);
        limit.addAll(arguments.subList(i + 2, next));
        encoded.add(limits.computeIfAbsent(limit, first -> Integer.toString(limits.size() + 1)));
        encoded.add(arguments.get(i + 1));
        i = next;
      }
      return encoded;
    }

    boolean isMergeable() {
      return keys.size() == 1 && !Script.isOneByOne(arguments.get(0));
    }
  }

  /** A decision, and the positions in the batch of the calls that request it. */
  private record Merged(Question question, List<Integer> places) {

    /**
     * Checks the reply. Per counter no more calls fit than request it, or one if there are several
     * counters. The others wait.
     */
    void requireFitting(List<Long> fields) {
      for (int i = 0; i < fields.size(); i += DecisionReply.FIELDS) {
        long fits = fields.get(i);
        if (fits > places.size()) {
          throw new JedisConnectionException("replied that more fit than were requested");
        }
        if ((fits == DecisionReply.OUTSIDE) != DecisionReply.isOutside(fields)) {
          throw new JedisConnectionException("replied its time in place of a decision");
        }
        if (fits >= 0 && fits < places.size() && fields.get(i + 2) == 0) {
          throw new JedisConnectionException("replied a denial, and not when it ends");
        }
      }
    }

    /** Returns whether they differ by their keys alone. */
    boolean isAlike(Merged other) {
      return places.size() == other.places.size()
          && question.arguments().equals(other.question().arguments());
    }
  }

  /** The order of times in microseconds, or of empty times. */
  private static final Comparator<String> LATER =
      Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder());

  private final List<Merged> merged;
  private final int size;
  private final String time;

  /**
   * @param calls of {@link Script.Purpose#DECIDE decisions}, in the order of their arrival
   */
  public MergedDecisions(List<ScriptCall> calls) {
    size = calls.size();
    time = latest(calls);
    merged = merged(calls);
  }

  private static String latest(List<ScriptCall> calls) {
    String latest = "";
    for (ScriptCall call : calls) {
      String time = call.arguments().get(0);
      latest = LATER.compare(time, latest) > 0 ? time : latest;
    }
    return latest;
  }

  private static List<Merged> merged(List<ScriptCall> calls) {
    Map<Question, Merged> mergeable = new LinkedHashMap<>();
    List<Merged> all = new ArrayList<>(calls.size());
    for (int place = 0; place < calls.size(); place++) {
      Question question = Question.of(calls.get(place));
      Merged alone = new Merged(question, new ArrayList<>(1));
      Merged one = question.isMergeable() ? mergeable.computeIfAbsent(question, q -> alone) : alone;
      one.places().add(place);
      if (one.places().size() == 1) {
        all.add(one);
      }
    }
    return all;
  }

  /**
   * Returns the call that makes all decisions. Parts that several decisions share are sent once:
   * their limits, and all but the keys of equal decisions in a row.
   *
   * @param script BATCH or ACROSS
   */
  public ScriptCall call(Script script) {
    List<String> keys = new ArrayList<>(size);
    Map<List<String>, String> limits = new LinkedHashMap<>();
    List<String> decisions = new ArrayList<>();
    for (int from = 0, to; from < merged.size(); from = to) {
      to = endOfRun(from);
      Merged first = merged.get(from);
      merged.subList(from, to).forEach(one -> keys.addAll(one.question().keys()));
      decisions.add(Integer.toString(to - from));
      decisions.add(Integer.toString(first.question().keys().size()));
      decisions.add(Integer.toString(first.places().size()));
      decisions.addAll(first.question().encoded(limits));
    }
    List<String> arguments = new ArrayList<>(2 + 6 * limits.size() + decisions.size());
    arguments.add(time);
    arguments.add(Integer.toString(limits.size()));
    limits.keySet().forEach(arguments::addAll);
    arguments.addAll(decisions);
    return new ScriptCall(script, keys, arguments);
  }

  /** Returns the index after the last decision in a row that is like this one. */
  private int endOfRun(int from) {
    int to = from + 1;
    while (to < merged.size() && merged.get(to).isAlike(merged.get(from))) {
      to++;
    }
    return to;
  }

  /**
   * Returns the reply to each call, in the order of arrival. Equal decisions count as made in that
   * order.
   *
   * @throws JedisConnectionException when more of them fit than were requested
   */
  public List<List<Long>> replies(List<Long> reply) {
    List<List<Long>> replies = new ArrayList<>(Collections.nCopies(size, List.of()));
    int from = 0;
    for (Merged one : merged) {
      int to = from + DecisionReply.FIELDS * one.question().keys().size();
      List<Long> fields = reply.subList(from, to);
      one.requireFitting(fields);
      for (int i = 0; i < one.places().size(); i++) {
        replies.set(
            one.places().get(i),
            one.places().size() == 1 ? alone(fields) : ofMany(i, one.question().permits(), fields));
      }
      from = to;
    }
    return replies;
  }

  private static List<Long> alone(List<Long> fields) {
    return DecisionReply.isOutside(fields) ? fields.subList(0, 2) : fields;
  }

  /**
   * Returns the reply to one of several equal decisions. Of the first ones, which fit, each leaves
   * fewer permits than the one before, by its own permits.
   */
  private static List<Long> ofMany(int place, long permits, List<Long> fields) {
    long granted = fields.get(0);
    if (granted < 0) {
      return alone(fields);
    }
    long left = fields.get(1) + (granted - 1 - place) * permits;
    return place < granted
        ? List.of(DecisionReply.FITS, left, 0L, fields.get(3), fields.get(4))
        : List.of(0L, fields.get(1), fields.get(2), fields.get(3), 0L);
  }
}
