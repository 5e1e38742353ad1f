/** A Redis at a distance: a TCP proxy process that adds a fixed delay each way. */
@NullMarked
package dev.weir.bench.delay;

import org.jspecify.annotations.NullMarked;
