/** What Weir does, as meters of Micrometer. */
@NullMarked
package dev.weir.micrometer;

import org.jspecify.annotations.NullMarked;
