/**
 * Rate limits for JAX-RS: {@link dev.weir.jaxrs.RateLimitFeature} is registered with the
 * application, and {@link dev.weir.jaxrs.RateLimited} marks its resources. This package renders the
 * decisions of {@code dev.weir.http} and makes none itself.
 */
@NullMarked
package dev.weir.jaxrs;

import org.jspecify.annotations.NullMarked;
