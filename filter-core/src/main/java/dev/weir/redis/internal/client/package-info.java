/**
 * The client of one Redis primary: a queue of calls, batches of them in flight on one connection,
 * two more for few calls at a time, and a breaker. It knows scripts, slots and redirections, and
 * neither limits nor which primary has which slot.
 *
 * <p>{@link dev.weir.redis.internal.client.PrimaryClient} is where to begin.
 */
@NullMarked
package dev.weir.redis.internal.client;

import org.jspecify.annotations.NullMarked;
