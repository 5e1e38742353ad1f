/**
 * Code that several packages of Weir share. It is not part of the API and may change with any
 * release.
 */
@NullMarked
package dev.weir.internal;

import org.jspecify.annotations.NullMarked;
