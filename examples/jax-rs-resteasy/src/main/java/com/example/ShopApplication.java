package com.example;

import dev.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** The classes of this application. The feature limits it. */
public class ShopApplication extends Application {

  @Override
  public Set<Class<?>> getClasses() {
    return Set.of(RateLimitFeature.class, Logins.class);
  }
}
