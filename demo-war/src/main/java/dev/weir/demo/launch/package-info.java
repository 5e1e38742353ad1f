/**
 * What {@code java -jar demo.war} starts: it unpacks the WAR, and hands over to the server in it.
 *
 * <p>These classes stand at the root of the WAR, where a container ignores them. They use the JDK
 * alone.
 */
@NullMarked
package dev.weir.demo.launch;

import org.jspecify.annotations.NullMarked;
