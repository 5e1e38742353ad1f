/**
 * The client of one Redis primary. It has a queue of calls, and batches of them in flight on one
 * connection. It also has two more connections for few calls at a time, and a breaker. It knows
 * scripts, slots and redirections. It knows neither limits nor the primary of each slot.
 *
 * <p>{@link dev.weir.redis.internal.client.PrimaryClient} is the entry point.
 */
@NullMarked
package dev.weir.redis.internal.client;

import org.jspecify.annotations.NullMarked;
