/** The peers that Weir is compared with, each as its users would set it up. */
@NullMarked
package dev.weir.bench.peer;

import org.jspecify.annotations.NullMarked;
