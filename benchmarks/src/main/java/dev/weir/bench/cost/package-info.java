/** The cost to Redis of one call of each kind of limit, in microseconds of its processor. */
@NullMarked
package dev.weir.bench.cost;

import org.jspecify.annotations.NullMarked;
