/** A Redis at a distance: a TCP proxy that adds a fixed delay each way, as a process of its own. */
@NullMarked
package dev.weir.bench.delay;

import org.jspecify.annotations.NullMarked;
