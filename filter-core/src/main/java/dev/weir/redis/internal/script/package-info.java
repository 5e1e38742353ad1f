/**
 * The messages to Redis: the Lua scripts, the calls of them, the keys, and the meaning of the
 * replies. This package sends nothing.
 *
 * <p>{@link dev.weir.redis.internal.script.Commands} writes each kind of call. {@link
 * dev.weir.redis.internal.script.Script} lists the scripts. {@code Arithmetic} lists the kinds of
 * limit. The Lua files are resources of this package: {@code prelude.lua} says what a kind of limit
 * must provide. A new kind also needs its letter, its script of one counter and its numbers in
 * {@code Script}. {@code Commands} must write its numbers.
 */
@NullMarked
package dev.weir.redis.internal.script;

import org.jspecify.annotations.NullMarked;
