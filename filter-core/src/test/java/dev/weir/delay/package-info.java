/** A server at a distance: a TCP proxy that adds a fixed delay each way. */
@NullMarked
package dev.weir.delay;

import org.jspecify.annotations.NullMarked;
