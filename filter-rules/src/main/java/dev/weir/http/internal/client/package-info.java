/** Reads the address of a client, and what it sends to identify itself. Not part of the API. */
@NullMarked
package dev.weir.http.internal.client;

import org.jspecify.annotations.NullMarked;
