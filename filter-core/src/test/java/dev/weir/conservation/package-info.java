/** Several processes against one Redis: what they are granted is what was promised. */
@NullMarked
package dev.weir.conservation;

import org.jspecify.annotations.NullMarked;
