package dev.weir.http.internal.decide;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The decision about a request that waits for it, if it is not made at once.
 *
 * @param charged what is charged when the request runs
 * @param place cancelled when the request gives up its wait
 * @param answered the decision; fails only when the wait was cancelled
 * @param maxWait the longest wait
 */
public record PendingDecision(
    List<RuleCharges> charged,
    CompletableFuture<?> place,
    CompletableFuture<RuleDecision> answered,
    Duration maxWait) {}
