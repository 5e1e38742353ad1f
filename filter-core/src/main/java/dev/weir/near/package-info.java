/** What is decided beside Redis, without asking it: what it would answer is known already. */
@NullMarked
package dev.weir.near;

import org.jspecify.annotations.NullMarked;
