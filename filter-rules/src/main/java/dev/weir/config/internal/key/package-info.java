/**
 * What a key of the configuration is: its name, the type of its value, its default and what the
 * documents say of it. The readers hold the keys that they read. Not part of the API.
 */
@NullMarked
package dev.weir.config.internal.key;

import org.jspecify.annotations.NullMarked;
