package dev.weir.containers;

import dev.weir.jaxrs.DeployedScenarios;
import dev.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.core.Application;
import java.util.HashSet;
import java.util.Set;

/** The application of the scenarios with a feature that its owner closes. */
public final class LimitedScenarios extends Application {

  private final RateLimitFeature feature;

  LimitedScenarios(RateLimitFeature feature) {
    this.feature = feature;
  }

  @Override
  public Set<Class<?>> getClasses() {
    Set<Class<?>> classes = new HashSet<>(new DeployedScenarios().getClasses());
    classes.remove(RateLimitFeature.class);
    return classes;
  }

  @Override
  public Set<Object> getSingletons() {
    return Set.of(feature);
  }
}
