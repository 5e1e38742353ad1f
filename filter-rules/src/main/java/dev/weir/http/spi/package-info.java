/**
 * What an adapter needs: it gives a {@link dev.weir.http.spi.RequestLimiter} what can be read of a
 * request, and renders the {@link dev.weir.http.spi.Outcome}.
 */
@NullMarked
package dev.weir.http.spi;

import org.jspecify.annotations.NullMarked;
