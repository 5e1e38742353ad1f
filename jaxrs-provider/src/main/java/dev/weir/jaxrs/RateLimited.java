package dev.weir.jaxrs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits a resource method, or every method of a resource class without annotations of its own. A
 * method's annotations replace its class's. Several annotations on one element are decided
 * together.
 *
 * <pre>{@code
 * @Path("/reports")
 * @RateLimited("reports") // a rule, or a limit, of the file
 * public class Reports {
 *   @GET
 *   public String all() {
 *     return "all";
 *   }
 *
 *   @GET
 *   @Path("{id}")
 *   @RateLimited(value = "daily", subject = "principal") // a limit of the file, by user
 *   @RateLimited(limit = "5 per minute", subject = "ip") // a limit of its own
 *   public String one(@PathParam("id") long id) {
 *     return "one";
 *   }
 * }
 * }</pre>
 *
 * <p>Put it where {@code @Path} and {@code @GET} are: on the implementing class, on a class that it
 * extends, or on an interface. It is not allowed on a sub-resource locator, where it would limit
 * nothing. It is checked when the application starts. If no locator's return type leads to it, it
 * is checked when it is first reached. A mistake found then answers all requests for the method
 * with 503.
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
   * 40}. It has counters of its own, named {@code Orders.create} for a method or {@code Orders} for
   * a class, after the resource. Overloaded methods, or classes with the same simple name, would
   * have the same name within one configuration. Then the application does not start. One of them
   * must {@linkplain #value name} a limit of the configuration.
   */
  String limit() default "";

  /**
   * The subject that is counted, in the configuration's words, such as {@code ip}, {@code
   * header:X-API-Key}, {@code principal} or {@code path}. The last is the template of the resource.
   * A rule has a subject of its own. Otherwise the default is {@code ip}.
   */
  String[] subject() default {};

  /** The number of permits that a request takes; a rule has a cost of its own. */
  long cost() default 1;

  /** The container of several annotations on one element. */
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.METHOD})
  @interface All {

    RateLimited[] value();
  }
}
