/** The metrics: each class measures one, or a few that one measurement gives. */
@NullMarked
package dev.weir.bench.metric;

import org.jspecify.annotations.NullMarked;
