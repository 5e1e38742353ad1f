/** Reads each part of a configuration into the values that the core takes. Not part of the API. */
@NullMarked
package dev.weir.config.internal.read;

import org.jspecify.annotations.NullMarked;
