/**
 * Limiting in process: the store of those who have no Redis, and the fallback of those who have.
 *
 * <p>Token buckets are Bucket4j's; fixed windows, which it does not have, are arithmetic of our
 * own. {@link dev.weir.local.LocalLimitStore} keeps both in a bounded map that never evicts.
 */
@NullMarked
package dev.weir.local;

import org.jspecify.annotations.NullMarked;
