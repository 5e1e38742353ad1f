/**
 * The client of one Redis primary. It has a queue of calls, and batches of them in flight on one
 * connection. It also has two more connections for few calls at a time, and a breaker. It knows
 * scripts, slots and redirections. It knows neither limits nor the primary of each slot.
 *
 * <p>{@link dev.weir.redis.internal.client.PrimaryClient} is the entry point. What it owns:
 *
 * <pre>
 *   PrimaryClient               the breaker, and which client a call takes
 *   └ PipelinedClient           the queue of calls; one for all calls, and one in each DedicatedClient
 *     ├ StallWatch              closes a pipeline that does not respond
 *     └ PrimaryConnection       opens and replaces the connection
 *       ├ Pipeline              one connection, and the batches in flight on it
 *       │ └ RedisConnection     commands and replies as bytes
 *       │   └ TimedSocket       a socket that the SocketTimer watches
 *       └ SpareConnection       a RedisConnection that can replace it
 * </pre>
 *
 * <p>A wait for a reply has these stages, where D is the deadline of the store:
 *
 * <pre>
 *   0 ──────────────── D/2 ──────────────── D
 *   sent               suspect              overdue: the connection is unresponsive, and is closed
 *                      (silent)
 * </pre>
 */
@NullMarked
package dev.weir.redis.internal.client;

import org.jspecify.annotations.NullMarked;
