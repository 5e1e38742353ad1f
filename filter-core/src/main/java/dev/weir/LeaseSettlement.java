package dev.weir;

/**
 * What a node tells of a lease when it takes the next one, or ends it: how much the store believes
 * to be out on its behalf, and what has become of that. What is neither kept nor given back was
 * spent.
 *
 * @param name what the store called the lease; 0 for none
 * @param out permits
 * @param kept permits that go into the next lease
 * @param back permits that nobody has spent, nor will
 */
public record LeaseSettlement(long name, long out, long kept, long back) {

  /** Of no lease. */
  public static final LeaseSettlement NONE = new LeaseSettlement(0, 0, 0, 0);

  /**
   * @throws IllegalArgumentException when one of them is negative, or more is kept and given back
   *     than was out
   */
  public LeaseSettlement {
    validate("name", name);
    validate("kept", kept);
    validate("back", back);
    if (out < kept || out - kept < back) {
      throw Expect.failure("out", out, "at least " + kept + " kept and " + back + " given back");
    }
  }

  private static void validate(String field, long value) {
    if (value < 0) {
      throw Expect.failure(field, value, ">= 0");
    }
  }
}
