/**
 * The client of one Redis primary: a queue of calls, batches of them in flight on one connection,
 * two more for calls that come nearly alone, and a breaker. It knows scripts as texts with a cost,
 * and neither limits nor clusters.
 *
 * <p>{@link dev.weir.redis.internal.client.PrimaryClient} is where to begin.
 */
@NullMarked
package dev.weir.redis.internal.client;

import org.jspecify.annotations.NullMarked;
