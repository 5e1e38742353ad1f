/**
 * Limiting in process: the only store without Redis, and the fallback with Redis.
 *
 * <p>{@link dev.weir.local.LocalLimitStore} locks and finds the entries of a request's counters,
 * and decides over all of them. Entries are in a bounded map that never evicts. Each has the state
 * of one counter, with one class for each algorithm. Token buckets and leaky buckets use Bucket4j.
 * The other algorithms, which it lacks, use this package's own arithmetic.
 */
@NullMarked
package dev.weir.local;

import org.jspecify.annotations.NullMarked;
