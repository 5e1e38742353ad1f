/**
 * The messages to Redis: the Lua scripts, the calls of them, the keys, and the meaning of the
 * replies. This package sends nothing.
 *
 * <p>{@link dev.weir.redis.internal.script.Commands} writes each kind of call. {@link
 * dev.weir.redis.internal.script.Script} lists the scripts. The Lua files are resources of this
 * package. {@code decide.lua}, {@code batch.lua} and {@code adjust.lua} are the drivers. {@code
 * limits.lua} says what a kind of limit must provide. Here, a new algorithm is a Lua file, a line
 * in {@code limits.lua}, and a case in each {@code switch} of {@link
 * dev.weir.redis.internal.script.EncodedLimit}. {@link dev.weir.limit.Limit.Algorithm} leads to the
 * other places.
 */
@NullMarked
package dev.weir.redis.internal.script;

import org.jspecify.annotations.NullMarked;
