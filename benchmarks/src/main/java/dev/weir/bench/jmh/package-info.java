/** What JMH measures, in processes of its own: decisions that no Redis is asked for. */
@NullMarked
package dev.weir.bench.jmh;

import org.jspecify.annotations.NullMarked;
