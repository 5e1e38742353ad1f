package dev.weir.bench.grid;

/** A contest on virtual threads as a process, for a JDK of its own. It prints the result. */
public final class ContestMain {

  private ContestMain() {}

  /** Runs at the URI of the first argument, with the callers and rounds of the others. */
  @SuppressWarnings("SystemOut") // that is how it answers
  public static void main(String[] args) throws Exception {
    Contest contest =
        new Contest(Threads.VIRTUAL, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    System.out.println(contest.at(args[0]).text());
  }
}
