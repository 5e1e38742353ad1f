/**
 * Tests of limits without sleeping and without Redis: a {@linkplain dev.weir.testing.ManualClock
 * clock} that a test advances, a {@linkplain dev.weir.testing.TestStore store} on that clock, and
 * {@linkplain dev.weir.testing.LimiterAssert assertions}. It needs no test framework.
 *
 * <pre>{@code
 * TestStore store = TestStore.create();
 * TokenLimiter mails = TokenLimiter.of("mails", "5 per minute", store);
 *
 * assertThat(mails, store.clock())
 *     .forSubject("ann")
 *     .grants(5)
 *     .denies()
 *     .withRetryAfter(Duration.ofSeconds(12))
 *     .after(Duration.ofSeconds(12))
 *     .grants(1)
 *     .denies();
 * }</pre>
 */
@NullMarked
package dev.weir.testing;

import org.jspecify.annotations.NullMarked;
