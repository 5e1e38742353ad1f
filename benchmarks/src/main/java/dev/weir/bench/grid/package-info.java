/**
 * Decisions per second by the distance of Redis and the number of callers, with latency and context
 * switches.
 */
@NullMarked
package dev.weir.bench.grid;

import org.jspecify.annotations.NullMarked;
