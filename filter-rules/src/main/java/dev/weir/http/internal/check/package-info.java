/**
 * Checks whether rules fit together, and advice about rules that hardly do. Not part of the API.
 */
@NullMarked
package dev.weir.http.internal.check;

import org.jspecify.annotations.NullMarked;
