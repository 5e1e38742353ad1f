/**
 * The entry point of {@code java -jar demo.war}: it unpacks the WAR and starts the server in it.
 *
 * <p>These classes are at the root of the WAR, where a container ignores them. They use only the
 * JDK.
 */
@NullMarked
package dev.weir.demo.launch;

import org.jspecify.annotations.NullMarked;
