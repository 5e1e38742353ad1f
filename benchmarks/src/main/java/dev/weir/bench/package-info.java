/**
 * Benchmarks of Weir and its peers side by side: one {@link dev.weir.bench.Metric} after the other,
 * each in interleaved rounds, into {@code docs/benchmarks.csv} and {@code docs/benchmarks.md}.
 */
@NullMarked
package dev.weir.bench;

import org.jspecify.annotations.NullMarked;
