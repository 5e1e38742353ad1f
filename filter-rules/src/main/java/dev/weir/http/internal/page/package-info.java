/** Who may read a page for operators, and in which format. Not part of the API. */
@NullMarked
package dev.weir.http.internal.page;

import org.jspecify.annotations.NullMarked;
