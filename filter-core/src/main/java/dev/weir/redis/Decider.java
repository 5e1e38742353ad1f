package dev.weir.redis;

import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.Group;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Receipt.Grant;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Makes the decisions on acquire requests. If all keys belong to one group, one call decides.
 * Otherwise it decides one group after the other. If a later group denies or fails, it posts a
 * refund to each primary that has granted something. It does not wait for the refunds. After a
 * denial it peeks at the remaining groups, so that their state is without the refunded permits.
 *
 * <p>While a slot moves, Redis refuses a script over two keys of that slot. Each key is then a
 * group of its own.
 */
final class Decider {

  private final Router router;

  Decider(Router router) {
    this.router = router;
  }

  Decision decide(AcquireRequest request) throws StoreUnavailableException {
    List<Group> groups = router.groups(request.charges());
    if (request.mode() instanceof Mode.Peek) {
      return uncharged(peek(groups, request.deadline()), request);
    }
    if (groups.size() > 1) {
      return decideInTurn(request, groups);
    }
    Group group = groups.get(0);
    try {
      return reply(request, group).decision();
    } catch (StoreUnavailableException e) {
      if (Router.isSplit(group, e)) {
        return decideInTurn(request, group.ofOneKey());
      }
      throw e;
    }
  }

  private DecisionReply reply(AcquireRequest request, Group group)
      throws StoreUnavailableException {
    BiFunction<Commands, Group, ScriptCall> call = Commands::decide;
    if (request.mode() instanceof Mode.UpTo) {
      call = Commands::decideUpTo;
    } else if (request.mode() instanceof Mode.Within within) {
      call = (to, parts) -> to.decideWithin(parts, within.maxWait());
    } else if (request.mode() instanceof Mode.OrBlock orBlock) {
      call = (to, parts) -> to.decideOrBlock(parts, orBlock.duration());
    }
    return DecisionReply.of(group.charges(), router.call(group, call, request.deadline()));
  }

  private Decision decideInTurn(AcquireRequest request, List<Group> groups)
      throws StoreUnavailableException {
    router.requireHealthy(groups);
    Deque<Group> left = new ArrayDeque<>(groups);
    List<Group> decided = new ArrayList<>();
    List<Verdict> verdicts = new ArrayList<>();
    List<Grant> grants = new ArrayList<>();
    while (!left.isEmpty()) {
      Group group = left.removeFirst();
      DecisionReply reply;
      try {
        reply = reply(request, group);
      } catch (StoreUnavailableException e) {
        if (!Router.isSplit(group, e)) {
          router.grouped(grants).forEach(router::postRefund);
          throw e;
        }
        List<Group> parts = group.ofOneKey();
        for (int i = parts.size() - 1; i >= 0; i--) {
          left.addFirst(parts.get(i));
        }
        continue;
      }
      if (!reply.fits()) {
        router.grouped(grants).forEach(router::postRefund);
        decided.addAll(left);
        return denial(reply, decided, request);
      }
      decided.add(group);
      verdicts.addAll(reply.verdicts());
      grants.addAll(reply.grants());
    }
    return Decision.counted(
        Source.REDIS, inOrder(verdicts, request), new Receipt(Source.REDIS, grants));
  }

  /** Returns a denial. It is final even if other primaries do not reply. */
  private Decision denial(DecisionReply denied, List<Group> others, AcquireRequest request) {
    List<Verdict> verdicts = new ArrayList<>(denied.verdicts());
    for (Group other : others) {
      try {
        verdicts.addAll(peek(List.of(other), request.deadline()));
      } catch (StoreUnavailableException silent) {
        // the state of that group is unknown
      }
    }
    return uncharged(verdicts, request);
  }

  private List<Verdict> peek(List<Group> groups, Deadline due) throws StoreUnavailableException {
    List<Verdict> verdicts = new ArrayList<>();
    for (Group group : groups) {
      try {
        List<Long> reply = router.call(group, Commands::peek, due);
        verdicts.addAll(DecisionReply.of(group.charges(), reply).verdicts());
      } catch (StoreUnavailableException e) {
        if (!Router.isSplit(group, e)) {
          throw e;
        }
        verdicts.addAll(peek(group.ofOneKey(), due));
      }
    }
    return verdicts;
  }

  private static Decision uncharged(List<Verdict> verdicts, AcquireRequest request) {
    return Decision.counted(
        Source.REDIS, inOrder(verdicts, request), Receipt.nothing(Source.REDIS));
  }

  private static List<Verdict> inOrder(List<Verdict> verdicts, AcquireRequest request) {
    List<Counter> order = request.charges().stream().map(AcquireRequest.Charge::counter).toList();
    return verdicts.stream()
        .sorted(Comparator.comparingInt(verdict -> order.indexOf(verdict.counter())))
        .toList();
  }
}
