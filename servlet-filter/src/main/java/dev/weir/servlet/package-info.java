/**
 * Limits requests in front of servlets: {@link dev.weir.servlet.RateLimitFilter}, registered in
 * {@code web.xml} or in code. It renders what {@code dev.weir.http} decides, and decides nothing.
 */
@NullMarked
package dev.weir.servlet;

import org.jspecify.annotations.NullMarked;
