/**
 * Limits, subjects, decisions, and the seam behind which counters live.
 *
 * <p>This package knows neither HTTP nor Redis. A {@link dev.weir.Limit} is an algorithm with its
 * numbers; a {@link dev.weir.Counter} is a limit applied to a {@link dev.weir.Subject}; a {@link
 * dev.weir.LimitStore} answers an {@link dev.weir.Ask} with a {@link dev.weir.Decision}.
 * Programmers enter through {@link dev.weir.TokenLimiter} and {@link dev.weir.PeriodLimiter}, and
 * through {@link dev.weir.ConcurrencyLimiter} for what is held.
 */
@NullMarked
package dev.weir;

import org.jspecify.annotations.NullMarked;
