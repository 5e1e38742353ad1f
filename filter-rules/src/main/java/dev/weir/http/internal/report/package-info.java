/** What operators see of denials: counts, the subjects with the most of them, access logs. */
@NullMarked
package dev.weir.http.internal.report;

import org.jspecify.annotations.NullMarked;
