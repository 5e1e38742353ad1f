package dev.weir.near;

import dev.weir.store.AcquireRequest;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore.Lending;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The books of all counters: what Redis grants is admitted then and there, what it lends is not.
 */
final class Ledger {

  private final Map<Counter, Account> accounts = new LinkedHashMap<>();
  long lateReturns;

  Account open(Counter counter) {
    return accounts.computeIfAbsent(counter, Account::new);
  }

  Account of(AcquireRequest request) {
    return of(request.charges().get(0).counter());
  }

  Account of(Counter counter) {
    return open(counter);
  }

  Collection<Account> all() {
    return accounts.values();
  }

  /** Redis has decided. */
  void decided(AcquireRequest request, Decision decision, long nowMicros) {
    if (decision.allowed()) {
      of(request).admitted(nowMicros);
    }
  }

  /** Redis has lent. */
  void lent(Account account, Lending.Settlement settled, Lending.Lease lease, long nowMicros) {
    settled(account, settled, nowMicros);
    account.lent += lease.permits();
  }

  /** A lease is named by its end: later than that nothing comes back. */
  void settled(Account account, Lending.Settlement settled, long nowMicros) {
    account.leaseCalls++;
    if (settled.name() > nowMicros) {
      account.returned += settled.back();
    } else if (settled.back() > 0) {
      lateReturns++;
    }
  }

  /** The counters of each limit. */
  Collection<List<Account>> crowds() {
    return accounts.values().stream()
        .collect(
            Collectors.groupingBy(
                account -> account.counter().name(), LinkedHashMap::new, Collectors.toList()))
        .values();
  }

  /** A line for each limit. */
  @Override
  public String toString() {
    return crowds().stream().map(Ledger::line).collect(Collectors.joining());
  }

  private static String line(List<Account> all) {
    long asked = sum(all, account -> account.asked);
    long calls = asked - sum(all, account -> account.inProcess - account.leaseCalls);
    return "  %-10s %,7d asked, %.3f calls each; %,7d entitled, %.4f admitted; %,7d lent, %.4f lost%n"
        .formatted(
            all.get(0).counter().name(),
            asked,
            ratio(calls, asked),
            sum(all, account -> account.entitled),
            ratio(sum(all, account -> account.admitted), sum(all, account -> account.entitled)),
            sum(all, Account::lent),
            ratio(sum(all, Account::lost), sum(all, Account::lent)));
  }

  private static long sum(List<Account> all, ToLongFunction<Account> of) {
    return all.stream().mapToLong(of).sum();
  }

  private static double ratio(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }
}
