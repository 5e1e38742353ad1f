/**
 * Rules: which requests are limited, which subject is counted, and what the response looks like.
 *
 * <p>This package sees a request through {@link dev.weir.http.RequestView} and returns an {@link
 * dev.weir.http.spi.Outcome}. It does not depend on servlets, JAX-RS, Redis or YAML.
 */
@NullMarked
package dev.weir.http;

import org.jspecify.annotations.NullMarked;
