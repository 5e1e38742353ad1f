/**
 * How permits of concurrency limits are held: their renewal, their release, and estimates of when
 * they return. It is not part of the API and may change with any release.
 */
@NullMarked
package dev.weir.internal.permit;

import org.jspecify.annotations.NullMarked;
