/**
 * What is said to Redis: the Lua scripts, the calls of them, the keys, and what the replies mean.
 * Nothing here is sent.
 *
 * <p>{@link dev.weir.redis.internal.script.Commands} writes each kind of call; {@link
 * dev.weir.redis.internal.script.Script} lists the scripts.
 */
@NullMarked
package dev.weir.redis.internal.script;

import org.jspecify.annotations.NullMarked;
