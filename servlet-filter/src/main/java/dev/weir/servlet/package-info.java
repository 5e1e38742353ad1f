/**
 * Rate limits in front of servlets: {@link dev.weir.servlet.RateLimitFilter}, registered in {@code
 * web.xml} or in code. This package renders the decisions of {@code dev.weir.http} and makes none
 * itself. The description of package {@code dev.weir} has the way of a request through all modules.
 */
@NullMarked
package dev.weir.servlet;

import org.jspecify.annotations.NullMarked;
