package dev.weir.demo;

import dev.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** The JAX-RS application under {@code /rest}. */
public final class RestApplication extends Application {

  @Override
  public Set<Class<?>> getClasses() {
    return Set.of(ReportResource.class, RateLimitFeature.class);
  }
}
