/** What all stores have in common, and users of limiters never see. */
@NullMarked
package dev.weir.internal.store;

import org.jspecify.annotations.NullMarked;
