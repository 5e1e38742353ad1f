/**
 * How requests wait on this node: their queues, their threads, and how many may wait. It is not
 * part of the API and may change with any release.
 */
@NullMarked
package dev.weir.internal.wait;

import org.jspecify.annotations.NullMarked;
