/** Finds how many requests a node can serve at once. Not part of the API. */
@NullMarked
package dev.weir.http.internal.overload;

import org.jspecify.annotations.NullMarked;
