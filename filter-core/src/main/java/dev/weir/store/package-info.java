/**
 * The store of a limiter's counters: one interface that decides and changes, and its values. A
 * limiter, a rule and each store know this package, and it knows limits alone.
 */
@NullMarked
package dev.weir.store;

import org.jspecify.annotations.NullMarked;
