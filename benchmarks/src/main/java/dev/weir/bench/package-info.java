/**
 * Benchmarks of Weir and its peers side by side: one {@link dev.weir.bench.Metric} after the other,
 * each in interleaved rounds, into {@code docs/internals/benchmarks.csv} and {@code
 * docs/internals/benchmarks.md}.
 */
@NullMarked
package dev.weir.bench;

import org.jspecify.annotations.NullMarked;
