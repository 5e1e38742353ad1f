/** Decisions per second by how far Redis is and how many ask, with latency and context switches. */
@NullMarked
package dev.weir.bench.grid;

import org.jspecify.annotations.NullMarked;
