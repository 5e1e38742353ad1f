/** Decisions made next to Redis without a call, because its reply is already known. */
@NullMarked
package dev.weir.near;

import org.jspecify.annotations.NullMarked;
