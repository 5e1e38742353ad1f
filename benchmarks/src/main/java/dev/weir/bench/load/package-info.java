/** Asks contenders from many threads, and counts. */
@NullMarked
package dev.weir.bench.load;

import org.jspecify.annotations.NullMarked;
