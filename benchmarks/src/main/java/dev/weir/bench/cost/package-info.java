/** What one call of each kind of limit costs Redis, in microseconds of its processor. */
@NullMarked
package dev.weir.bench.cost;

import org.jspecify.annotations.NullMarked;
