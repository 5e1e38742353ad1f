/**
 * How a request is decided by the store: its charges, its waits, and what it has cost in the end.
 */
@NullMarked
package dev.weir.http.internal.decide;

import org.jspecify.annotations.NullMarked;
