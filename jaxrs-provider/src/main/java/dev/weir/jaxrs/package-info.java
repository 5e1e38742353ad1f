/**
 * Limits requests in JAX-RS: {@link dev.weir.jaxrs.RateLimitFeature}, registered with the
 * application, and {@link dev.weir.jaxrs.RateLimited} on its resources. It renders what {@code
 * dev.weir.http} decides, and decides nothing.
 */
@NullMarked
package dev.weir.jaxrs;

import org.jspecify.annotations.NullMarked;
