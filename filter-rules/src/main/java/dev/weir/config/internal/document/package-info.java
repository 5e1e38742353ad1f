/**
 * The configuration as it is written: texts with their places, and what is wrong with them. Not
 * part of the API.
 */
@NullMarked
package dev.weir.config.internal.document;

import org.jspecify.annotations.NullMarked;
