/**
 * The application in the WAR: a few routes worth limiting, and a page that shows what limits do.
 *
 * <p>It runs in any container of Servlet 6.0, alone or as one of several nodes. All it knows of
 * rate limits stands in {@code WEB-INF/web.xml}, {@code WEB-INF/weir.yaml} and one annotation.
 */
@NullMarked
package dev.weir.demo;

import org.jspecify.annotations.NullMarked;
