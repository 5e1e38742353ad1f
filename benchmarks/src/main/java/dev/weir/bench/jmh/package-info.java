/** The benchmarks that JMH runs in processes of its own: decisions without a call of Redis. */
@NullMarked
package dev.weir.bench.jmh;

import org.jspecify.annotations.NullMarked;
