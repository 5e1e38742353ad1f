package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import dev.weir.servlet.RateLimitFilter;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Jersey routes by the URI as it was sent, whatever the container makes of that: it resolves no
 * dots, encoded or not. What it routes to a resource is counted by the rule for that.
 */
@ParameterizedClass(name = "{0}")
@EnumSource
class RoutedPathTest {

  private static final String RULES =
      """
      rules:
        - { name: files, match: PREFIX/files/**, subject: ip, limits: [1 per hour] }
        - { name: users, match: PREFIX/users/*, subject: ip, limits: [1 per hour] }
        - { name: all, match: /**, except: [PREFIX/health, PREFIX/static/**], subject: ip,
            limits: [1_000 per hour] }
      """;

  @Parameter Place place = Place.JETTY_FILTER;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/files/a/../../zz",
        "/files/..",
        "/files/../zz",
        "/files/a/..%2F../zz",
        "/files/%2e%2e/zz",
        "/files/..;x=/../zz",
        "/users/..",
        "/users/%2e%2e",
        "/users/..;a=b",
        "/users/."
      })
  void what_Jersey_routes_to_a_resource_obeys_its_rules(String path) throws Exception {
    for (String prefix : new String[] {"", "/rest"}) {
      try (Weir weir = Weir.of(RULES.replace("PREFIX", prefix));
          Server server = place.start(prefix + "/*", weir)) {
        RawHttp http = new RawHttp(server.base());
        http.get(prefix + "/files/a");
        http.get(prefix + "/users/a");
        Answer answer = http.get(prefix + path);
        assertThat(answer.body()).as(prefix + path).doesNotStartWith("passed");
        assertThat(answer.status()).isIn(400, 404, 429);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/files/a/../../health", "/files/a/../../static/x"})
  void a_way_up_into_an_exception_is_charged(String path) throws Exception {
    try (Weir weir = Weir.of(RULES.replace("PREFIX", ""));
        Server server = place.start("/*", weir)) {
      Answer answer = new RawHttp(server.base()).get(path);
      assertThat(answer.body()).isEqualTo("passed");
      assertThat(answer.field("RateLimit-Policy")).contains("\"all\"").contains("\"files\"");
    }
  }

  /** A container with the filter, the provider, or both. */
  enum Place {
    JETTY_FILTER {
      @Override
      Server start(String pattern, Weir weir) throws Exception {
        return JerseyServlet.at(pattern, resources()).behind(new RateLimitFilter(weir)).start();
      }
    },
    JETTY_PROVIDER {
      @Override
      Server start(String pattern, Weir weir) throws Exception {
        return JerseyServlet.at(pattern, resources(weir)).start();
      }
    },
    JETTY_BOTH {
      @Override
      Server start(String pattern, Weir weir) throws Exception {
        return JerseyServlet.at(pattern, resources(weir)).behind(new RateLimitFilter(weir)).start();
      }
    },
    TOMCAT_FILTER {
      @Override
      Server start(String pattern, Weir weir) throws Exception {
        return JerseyTomcat.at(pattern, resources()).behind(new RateLimitFilter(weir)).start();
      }
    },
    TOMCAT_PROVIDER {
      @Override
      Server start(String pattern, Weir weir) throws Exception {
        return JerseyTomcat.at(pattern, resources(weir)).start();
      }
    },
    TOMCAT_BOTH {
      @Override
      Server start(String pattern, Weir weir) throws Exception {
        return JerseyTomcat.at(pattern, resources(weir)).behind(new RateLimitFilter(weir)).start();
      }
    };

    abstract Server start(String pattern, Weir weir) throws Exception;

    private static ResourceConfig resources() {
      return new ResourceConfig(Files.class, Users.class);
    }

    private static ResourceConfig resources(Weir weir) {
      return resources().register(new RateLimitFeature(weir));
    }
  }

  @Path("files")
  public static final class Files {

    @GET
    @Path("{rest: .*}")
    public String get() {
      return "passed";
    }
  }

  @Path("users")
  public static final class Users {

    @GET
    @Path("{id}")
    public String get(@PathParam("id") String id) {
      return "passed " + id;
    }
  }
}
