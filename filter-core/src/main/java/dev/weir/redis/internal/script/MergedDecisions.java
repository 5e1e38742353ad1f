package dev.weir.redis.internal.script;

import dev.weir.redis.internal.script.ScriptCall.Part;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Decisions that are sent in one call, and the reply to each. The call is a {@link
 * Operation#BATCH}, or {@link Operation#ACROSS} if they are of several slots. Decisions over one
 * counter that are equal in key, limit and permits are merged into one with a count, if their limit
 * is {@linkplain EncodedLimit#isMergeable mergeable}.
 *
 * <p>Used by one thread.
 */
public final class MergedDecisions {

  /** A decision without its time. All decisions of a call are made at one time. */
  private record Question(List<String> keys, List<Part> parts) {

    /** Few decisions have the same keys and other limits, and the hash of a key is cached. */
    @Override
    public int hashCode() {
      return keys.hashCode();
    }
  }

  /** A decision, and the positions in the batch of the calls that request it. */
  private record Merged(Question question, List<Integer> places) {}

  private final List<Merged> merged;
  private final int size;
  private final OptionalLong time;

  /**
   * @param calls {@link Operation#DECIDE decisions}, in the order of their arrival
   */
  public MergedDecisions(List<ScriptCall> calls) {
    size = calls.size();
    time = latest(calls);
    merged = merged(calls);
  }

  private static OptionalLong latest(List<ScriptCall> calls) {
    OptionalLong latest = OptionalLong.empty();
    for (ScriptCall call : calls) {
      OptionalLong time = call.time();
      if (time.isPresent() && (latest.isEmpty() || time.getAsLong() > latest.getAsLong())) {
        latest = time;
      }
    }
    return latest;
  }

  private static List<Merged> merged(List<ScriptCall> calls) {
    Map<Question, Merged> mergeable = new LinkedHashMap<>();
    List<Merged> all = new ArrayList<>(calls.size());
    for (int place = 0; place < calls.size(); place++) {
      Question question = new Question(calls.get(place).keys(), calls.get(place).parts());
      Merged alone = new Merged(question, new ArrayList<>(1));
      boolean isMergeable =
          question.parts().size() == 1 && question.parts().get(0).limit().isMergeable();
      Merged one = isMergeable ? mergeable.computeIfAbsent(question, q -> alone) : alone;
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
   */
  public ScriptCall call(Operation operation) {
    List<String> keys = new ArrayList<>(size);
    Map<EncodedLimit, String> limits = new LinkedHashMap<>();
    List<String> runs = new ArrayList<>();
    for (int from = 0, to; from < merged.size(); from = to) {
      to = endOfRun(from);
      Merged first = merged.get(from);
      merged.subList(from, to).forEach(one -> keys.addAll(one.question().keys()));
      runs.add(Integer.toString(to - from));
      runs.add(Integer.toString(first.question().keys().size()));
      runs.add(Integer.toString(first.places().size()));
      for (Part part : first.question().parts()) {
        runs.add(limits.computeIfAbsent(part.limit(), l -> Integer.toString(limits.size() + 1)));
        runs.add(Long.toString(part.permits()));
      }
    }
    List<String> others = new ArrayList<>(1 + 6 * limits.size() + runs.size());
    others.add(Integer.toString(limits.size()));
    for (EncodedLimit limit : limits.keySet()) {
      others.add(limit.letter());
      limit.numbers().forEach(number -> others.add(Long.toString(number)));
    }
    others.addAll(runs);
    return ScriptCall.of(operation, keys, time, List.of(), others);
  }

  /** Returns the index after the last in a row that differ from this one by their keys alone. */
  private int endOfRun(int from) {
    Merged first = merged.get(from);
    int to = from + 1;
    while (to < merged.size()
        && merged.get(to).places().size() == first.places().size()
        && merged.get(to).question().parts().equals(first.question().parts())) {
      to++;
    }
    return to;
  }

  /**
   * Returns the reply to each call, in the order of arrival. Equal decisions count as made in that
   * order.
   *
   * @throws JedisConnectionException when no script of ours makes such a reply: more of them fit
   *     than were requested, a time stands in place of a decision, or a denial has no end
   */
  public List<List<Long>> replies(List<Long> reply) {
    List<List<Long>> replies = new ArrayList<>(Collections.nCopies(size, List.of()));
    int from = 0;
    for (Merged one : merged) {
      int to = from + DecisionReply.FIELDS * one.question().keys().size();
      List<Long> fields = reply.subList(from, to);
      int calls = one.places().size();
      requireFitting(fields, calls);
      for (int i = 0; i < calls; i++) {
        replies.set(
            one.places().get(i),
            calls == 1 ? alone(fields) : ofMany(i, one.question().parts().get(0), fields));
      }
      from = to;
    }
    return replies;
  }

  /**
   * Checks the reply to these calls. Per counter no more calls fit than request it, or one if there
   * are several counters. The others wait.
   */
  private static void requireFitting(List<Long> fields, int calls) {
    for (int i = 0; i < fields.size(); i += DecisionReply.FIELDS) {
      long fits = fields.get(i);
      if (fits > calls) {
        throw new JedisConnectionException("replied that more fit than were requested");
      }
      if ((fits == DecisionReply.OUTSIDE) != DecisionReply.isOutside(fields)) {
        throw new JedisConnectionException("replied its time in place of a decision");
      }
      if (fits >= 0 && fits < calls && fields.get(i + 2) == 0) {
        throw new JedisConnectionException("replied a denial, and not when it ends");
      }
    }
  }

  private static List<Long> alone(List<Long> fields) {
    return DecisionReply.isOutside(fields) ? fields.subList(0, 2) : fields;
  }

  /**
   * Returns the reply to one of several equal decisions. Of the first ones, which fit, each leaves
   * fewer permits than the one before, by its own permits. The others keep a block.
   */
  private static List<Long> ofMany(int place, Part part, List<Long> fields) {
    long granted = fields.get(0);
    if (granted < 0) {
      return alone(fields);
    }
    long left = fields.get(1) + (granted - 1 - place) * part.permits();
    return place < granted
        ? List.of(DecisionReply.FITS, left, 0L, fields.get(3), fields.get(4))
        : List.of(0L, fields.get(1), fields.get(2), fields.get(3), Math.min(0, fields.get(4)));
  }
}
