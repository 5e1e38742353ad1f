/**
 * Finds the rules whose patterns match a request: by host, path and method. Not part of the API.
 */
@NullMarked
package dev.weir.http.internal.match;

import org.jspecify.annotations.NullMarked;
