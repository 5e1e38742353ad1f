package dev.weir.jaxrs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits a resource method, or every method of a resource class that has none of its own: a
 * method's annotations replace its class's. Several on one element are all decided together.
 *
 * <pre>
 * &#64;RateLimited("login")                                      a rule, or a limit, of the file
 * &#64;RateLimited(value = "daily", subject = "principal")        a limit of the file, by user
 * &#64;RateLimited(limit = "5 per minute", subject = "ip")        a limit of its own
 * </pre>
 *
 * <p>It may stand where the {@code @Path} and {@code @GET} stand: on the class that does the work,
 * on one that it extends, or on an interface; but not on a sub-resource locator, which would limit
 * nothing. What it says is checked when the application starts. Where no locator's return type
 * leads to it, that is when it is first reached: then what is wrong refuses all requests for the
 * method with 503.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Repeatable(RateLimited.All.class)
public @interface RateLimited {

  /** The name of a rule or a limit of the configuration; empty with {@link #limit}. */
  String value() default "";

  /**
   * A limit written in one line, as in the configuration: {@code 5 per minute}, {@code 20/s, burst
   * 40}. Its counters are this method's or class's own, called {@code Orders.create} or {@code
   * Orders} after the resource. Where two that share one configuration would be called the same,
   * overloaded methods or classes of one simple name, the application does not start: one has to
   * {@linkplain #value name} a limit of the configuration.
   */
  String limit() default "";

  /**
   * Who is counted, in the configuration's words, such as {@code ip}, {@code header:X-API-Key},
   * {@code principal} or {@code path}, which is the template of the resource. A rule has a subject
   * of its own; otherwise, {@code ip} where nothing is said.
   */
  String[] subject() default {};

  /** How many permits a request takes; a rule has a cost of its own. */
  long cost() default 1;

  /** Several on one element. */
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.METHOD})
  @interface All {

    RateLimited[] value();
  }
}
