/**
 * Configuration: from a file, from a filter's init-params or from code to a running {@link
 * dev.weir.config.Weir}. The only place that wires stores, rules and listeners together.
 *
 * <p>A configuration is read in three steps: a source becomes a tree of values that know where they
 * stand, readers turn the tree into settings and collect every problem on the way, and settings
 * without a problem are wired. Nothing is started while there is a problem.
 */
@NullMarked
package dev.weir.config;

import org.jspecify.annotations.NullMarked;
