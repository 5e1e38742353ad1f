/**
 * Configuration, from a file, a filter's init-params or code to a running {@link
 * dev.weir.config.Weir}. It wires stores, rules and listeners together, as {@link dev.weir.Stores}
 * does for limiters without rules.
 *
 * <p>A configuration is read in three steps. A source becomes a tree of values that know their
 * places. Readers turn the tree into settings and collect every problem. Settings without a problem
 * are wired. Nothing is started while there is a problem.
 */
@NullMarked
package dev.weir.config;

import org.jspecify.annotations.NullMarked;
