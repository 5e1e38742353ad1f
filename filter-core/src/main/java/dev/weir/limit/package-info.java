/**
 * The limits: five algorithms with their numbers, and the grammar of a limit in one line.
 *
 * <p>{@link dev.weir.limit.Limit#parse} reads {@code 100 per second, burst 200}.
 */
@NullMarked
package dev.weir.limit;

import org.jspecify.annotations.NullMarked;
