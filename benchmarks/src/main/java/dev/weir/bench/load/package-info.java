/** Loads that call contenders from many threads, and count. */
@NullMarked
package dev.weir.bench.load;

import org.jspecify.annotations.NullMarked;
