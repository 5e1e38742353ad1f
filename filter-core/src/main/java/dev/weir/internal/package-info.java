/** What several packages of this library need and no user sees. */
@NullMarked
package dev.weir.internal;

import org.jspecify.annotations.NullMarked;
