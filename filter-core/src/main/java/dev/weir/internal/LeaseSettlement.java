package dev.weir.internal;

/**
 * The report of a node about a token lease, made when it takes the next lease or ends this one. It
 * states how many permits the store believes to be out on the node's behalf, and what became of
 * them. Permits that are neither kept nor returned were spent.
 *
 * @param name the store's name of the lease; 0 for none
 * @param out permits that the store believes to be out
 * @param kept permits that go into the next lease
 * @param back permits that were not spent and will not be
 */
public record LeaseSettlement(long name, long out, long kept, long back) {

  /** The settlement of no lease. */
  public static final LeaseSettlement NONE = new LeaseSettlement(0, 0, 0, 0);

  /**
   * @throws IllegalArgumentException when one of them is negative, or more is kept and returned
   *     than was out
   */
  public LeaseSettlement {
    Expect.notNegative("name", name);
    Expect.notNegative("kept", kept);
    Expect.notNegative("back", back);
    if (out < kept || out - kept < back) {
      throw Expect.failure("out", out, "at least " + kept + " kept and " + back + " given back");
    }
  }
}
