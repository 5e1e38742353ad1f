/**
 * Rules: which requests are limited, who is counted, and what the answer looks like.
 *
 * <p>This package sees a request through {@link dev.weir.http.RequestView} and answers with an
 * {@link dev.weir.http.Outcome}; it knows neither servlets nor JAX-RS, neither Redis nor YAML.
 */
@NullMarked
package dev.weir.http;

import org.jspecify.annotations.NullMarked;
