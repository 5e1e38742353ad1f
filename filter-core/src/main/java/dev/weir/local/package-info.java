/**
 * Limiting in process: the only store without Redis, and the fallback with Redis.
 *
 * <p>Token buckets use Bucket4j. Fixed windows, which it lacks, use this package's own arithmetic.
 * {@link dev.weir.local.LocalLimitStore} keeps both in a bounded map that never evicts.
 */
@NullMarked
package dev.weir.local;

import org.jspecify.annotations.NullMarked;
