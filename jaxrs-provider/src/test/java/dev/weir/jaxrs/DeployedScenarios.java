package dev.weir.jaxrs;

import jakarta.ws.rs.core.Application;
import java.util.Set;

/** The application of the HTTP scenarios as it stands in a {@code web.xml}, for any server. */
public final class DeployedScenarios extends Application {

  @Override
  public Set<Class<?>> getClasses() {
    return Set.of(
        RateLimitFeature.class,
        ScenarioApplication.Anything.class,
        ScenarioApplication.WithStatus.class,
        ScenarioApplication.Degraded.class);
  }
}
