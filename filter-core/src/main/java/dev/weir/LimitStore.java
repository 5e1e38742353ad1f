package dev.weir;

/**
 * Where counters live and decisions are made. Stores decorate stores: what shares, remembers or
 * falls back is a store around another.
 *
 * <p>Implementations are thread-safe.
 */
public interface LimitStore extends AutoCloseable {

  /**
   * Decides on the ask's {@link Ask#terms}, by {@link Ask#deadline()} at the latest. It may block
   * until then for the store's sake, never for permits; one that does {@linkplain Ask#begun begins}
   * the deadline first.
   *
   * @throws StoreUnavailableException when no decision could be had in time; whether something was
   *     charged is then unknown
   */
  Decision decide(Ask ask) throws StoreUnavailableException;

  /**
   * Makes a change by the deadline at the latest; a store that has to wait begins it, as in {@link
   * #decide}.
   *
   * @return whether it was made, or accepted: a store may make a refund, a release or a commit
   *     later, in the background. False only for a {@link Amendment.Renew} of what has ended, in
   *     part or all
   * @throws StoreUnavailableException when it could not be made in time, or it is unknown whether
   *     it was; it is not tried again then
   */
  boolean amend(Amendment amendment, Deadline deadline) throws StoreUnavailableException;

  /** Whether all of this store is believed to answer; false while any part is known to be out. */
  default boolean isHealthy() {
    return true;
  }

  /**
   * Answers every decision under way, then leaves no thread and no connection behind. Closing twice
   * is closing once; a decision asked of a closed store throws {@link StoreUnavailableException}.
   */
  @Override
  void close();
}
