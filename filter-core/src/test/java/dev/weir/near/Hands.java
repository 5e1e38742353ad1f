package dev.weir.near;

import dev.weir.store.LimitStore.Lending;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a node has in hand of its leases, reckoned from what goes to and fro. */
final class Hands {

  /** Of one counter. */
  private static final class Hand {

    private long permits;
    private long endMicros;
  }

  private final Map<Account, Hand> hands = new LinkedHashMap<>();

  /** What is given back is in hand no longer. */
  void settled(Account account, Lending.Settlement settled) {
    hand(account).permits -= settled.back();
  }

  /**
   * What was in hand before is there no longer, unless it was carried to the end of the new one.
   */
  void lent(Account account, Lending.Lease lent) {
    Hand hand = hand(account);
    if (!lent.carried()) {
      hand.permits = 0;
    }
    hand.permits += lent.permits();
    hand.endMicros = lent.name();
  }

  void lost(Account account) {
    hand(account).permits = 0;
  }

  void spent(Account account) {
    account.spent++;
    hand(account).permits--;
  }

  /** What is unspent of leases that have not ended, by counter. */
  Map<Account, Long> unspent(long nowMicros) {
    Map<Account, Long> unspent = new LinkedHashMap<>();
    hands.forEach(
        (account, hand) -> {
          if (hand.permits > 0 && hand.endMicros > nowMicros) {
            unspent.put(account, hand.permits);
          }
        });
    return unspent;
  }

  private Hand hand(Account account) {
    return hands.computeIfAbsent(account, one -> new Hand());
  }
}
