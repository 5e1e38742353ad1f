package dev.weir.containers;

import dev.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Feature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import org.jboss.jandex.Index;
import org.jboss.resteasy.reactive.server.core.reflection.ReflectiveContextInjectedBeanFactory;
import org.jboss.resteasy.reactive.server.processor.ResteasyReactiveDeploymentManager;
import org.jboss.resteasy.reactive.server.processor.ResteasyReactiveDeploymentManager.PreparedApplication;
import org.jboss.resteasy.reactive.server.spi.DefaultRuntimeConfiguration;

/**
 * Starts an application in the server of Quarkus REST, without the rest of Quarkus. The feature is
 * indexed, as by {@code quarkus.index-dependency}: otherwise this server drops it.
 */
public final class QuarkusRestMain {

  private QuarkusRestMain() {}

  /** A resource of the application. */
  @Path("/anything")
  public static final class Anything {

    @GET
    public String get() {
      return "passed";
    }
  }

  /** The application, with the feature. */
  @ApplicationPath("/")
  public static final class Shop extends Application {

    @Override
    public Set<Class<?>> getClasses() {
      return Set.of(Anything.class, RateLimitFeature.class);
    }
  }

  public static void main(String[] args) throws IOException {
    Index index =
        Index.of(
            Shop.class, Anything.class, RateLimitFeature.class, Application.class, Feature.class);
    PreparedApplication application =
        ResteasyReactiveDeploymentManager.start(index)
            .scan()
            .prepare(
                QuarkusRestMain.class.getClassLoader(),
                ReflectiveContextInjectedBeanFactory::create);
    application.addBuiltinSerializers();
    application.createApplication(
        new DefaultRuntimeConfiguration(
            Duration.ofMinutes(1),
            true,
            System.getProperty("java.io.tmpdir"),
            List.of(),
            StandardCharsets.UTF_8,
            OptionalLong.empty(),
            1 << 20,
            1_000),
        (deployment, context, setup, chain, abortChain) -> {
          throw new IllegalStateException("it serves nothing");
        },
        ForkJoinPool.commonPool());
    Stopping.say("started");
  }
}
