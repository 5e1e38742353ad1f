/**
 * The command line. It reads a configuration as the application does, and works with the same Redis
 * as an observer: no node counts it, however it ends. No value of a client is in what it prints.
 */
@NullMarked
package dev.weir.cli;

import org.jspecify.annotations.NullMarked;
