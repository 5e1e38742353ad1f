/** The cost of limits for a web application: Jetty with filters, and a client that costs little. */
@NullMarked
package dev.weir.bench.http;

import org.jspecify.annotations.NullMarked;
