package dev.weir.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A reader of the test driver's answers to a trace. */
final class AnswerReader {

  private final String text;
  private final Map<Integer, String> states = new HashMap<>();
  private int at;

  AnswerReader(String text) {
    this.text = text;
  }

  List<Replied> all(List<TraceStep> turns) {
    List<Replied> all = new ArrayList<>(turns.size());
    for (TraceStep turn : turns) {
      String before = states.getOrDefault(turn.key(), "");
      Replied next = next(turn, before);
      states.put(turn.key(), next.reply().state());
      all.add(next);
    }
    return all;
  }

  private Replied next(TraceStep turn, String before) {
    if (turn.step() instanceof Step.Overwrite overwrite) {
      return new Replied(turn, before, Step.Reply.NONE.storing(0, overwrite.state()), "");
    }
    if (turn.step() instanceof Step.Decide decide) {
      Step.Reply reply =
          new Step.Reply(number(), number(), number(), number(), number(), number(), state(before));
      return new Replied(turn, before, reply, decide.isTried() ? word() : "");
    }
    if (turn.step() instanceof Step.Renewal) {
      Step.Reply reply =
          new Step.Reply(number(), number(), number(), number(), number(), number(), state(before));
      return new Replied(turn, before, reply, word());
    }
    return new Replied(turn, before, Step.Reply.NONE.storing(number(), state(before)), "");
  }

  private String state(String before) {
    String word = word();
    if (word.equals("-")) {
      return "";
    }
    return word.equals("=") ? before : word;
  }

  private long number() {
    boolean negative = text.charAt(at) == '-';
    at += negative ? 1 : 0;
    long number = 0;
    while (isInside() && text.charAt(at) != ' ' && text.charAt(at) != '\n') {
      number = number * 10 + Character.digit(text.charAt(at), 10);
      at++;
    }
    at++;
    return negative ? -number : number;
  }

  private String word() {
    int from = at;
    while (isInside() && text.charAt(at) != ' ' && text.charAt(at) != '\n') {
      at++;
    }
    at++;
    return text.substring(from, at - 1);
  }

  private boolean isInside() {
    return at < text.length();
  }
}
