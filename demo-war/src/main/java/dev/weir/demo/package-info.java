/**
 * The application in the WAR: a few routes with limits, and a page that shows what limits do.
 *
 * <p>It runs in any container of Servlet 6.0, alone or as one of several nodes. Its rate limits are
 * only in {@code WEB-INF/web.xml}, {@code WEB-INF/weir.yaml} and one annotation.
 */
@NullMarked
package dev.weir.demo;

import org.jspecify.annotations.NullMarked;
