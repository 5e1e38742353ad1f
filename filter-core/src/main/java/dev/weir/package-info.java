/**
 * Limits, subjects, decisions, and the interface behind which counters are kept.
 *
 * <p>This package knows neither HTTP nor Redis. A {@link dev.weir.limit.Limit} is an algorithm with
 * its numbers. A {@link dev.weir.Counter} is a limit applied to a {@link dev.weir.Subject}. A
 * {@link dev.weir.LimitStore} answers an {@link dev.weir.AcquireRequest} with a {@link
 * dev.weir.Decision}. Programs start with {@link dev.weir.TokenLimiter} and {@link
 * dev.weir.PeriodLimiter}, and with {@link dev.weir.ConcurrencyLimiter} for permits that are held.
 */
@NullMarked
package dev.weir;

import org.jspecify.annotations.NullMarked;
