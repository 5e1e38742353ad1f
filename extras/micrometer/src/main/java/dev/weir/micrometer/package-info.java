/** Micrometer meters for Weir. */
@NullMarked
package dev.weir.micrometer;

import org.jspecify.annotations.NullMarked;
