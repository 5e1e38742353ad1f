/**
 * What is said to Redis: the Lua scripts, the calls of them, the keys, and what the replies mean.
 * Nothing here is sent.
 *
 * <p>{@link dev.weir.redis.internal.script.Commands} writes each kind of call; {@link
 * dev.weir.redis.internal.script.Script} lists the scripts; {@code Arithmetic} lists the kinds of
 * limit. The Lua files are resources of this package: {@code prelude.lua} says what a kind of limit
 * has to provide. A new kind also has its letter, its script of one counter and its numbers in
 * {@code Script}, and writes its numbers in {@code Commands}.
 */
@NullMarked
package dev.weir.redis.internal.script;

import org.jspecify.annotations.NullMarked;
