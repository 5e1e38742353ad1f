/** What several packages of Weir share and no user sees: it may change with any release. */
@NullMarked
package dev.weir.internal;

import org.jspecify.annotations.NullMarked;
