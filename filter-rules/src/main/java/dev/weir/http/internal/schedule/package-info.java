/** The times at which rules apply. */
@NullMarked
package dev.weir.http.internal.schedule;

import org.jspecify.annotations.NullMarked;
