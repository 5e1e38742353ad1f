/**
 * The environment of the WAR when it runs by itself: Jetty, one server for each node, and a real
 * Redis.
 *
 * <p>Nothing here is part of the application or visible to it. A node receives its settings through
 * context parameters, as a container's administrator would set them.
 */
@NullMarked
package dev.weir.demo.server;

import org.jspecify.annotations.NullMarked;
