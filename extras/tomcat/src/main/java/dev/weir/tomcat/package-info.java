/** Tomcat's own rate limit filter, counting over all nodes. */
@NullMarked
package dev.weir.tomcat;

import org.jspecify.annotations.NullMarked;
