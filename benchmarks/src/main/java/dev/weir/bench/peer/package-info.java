/** Who is measured beside Weir, each as its users would set it up. */
@NullMarked
package dev.weir.bench.peer;

import org.jspecify.annotations.NullMarked;
