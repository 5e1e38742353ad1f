/** Formats the fields and bodies of responses. Not part of the API. */
@NullMarked
package dev.weir.http.internal.response;

import org.jspecify.annotations.NullMarked;
