/**
 * Rate limits in front of servlets: {@link dev.weir.servlet.RateLimitFilter}, registered in {@code
 * web.xml} or in code. This package renders the decisions of {@code dev.weir.http} and makes none
 * itself.
 */
@NullMarked
package dev.weir.servlet;

import org.jspecify.annotations.NullMarked;
