/** Weir behind Tomcat's own rate limit filter, and as a Tomcat valve. */
@NullMarked
package dev.weir.tomcat;

import org.jspecify.annotations.NullMarked;
