/** What is measured, one metric or a few that one measurement gives in each class. */
@NullMarked
package dev.weir.bench.metric;

import org.jspecify.annotations.NullMarked;
