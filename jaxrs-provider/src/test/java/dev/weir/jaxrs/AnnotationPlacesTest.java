package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Where an annotation may stand. */
@TestInstance(Lifecycle.PER_CLASS)
class AnnotationPlacesTest {

  @AutoClose
  private final LimitedApplication application =
      LimitedApplication.start("nodes: 1", Classes.class, Inherited.class, Locator.class);

  private final RawHttp http = application.http();

  AnnotationPlacesTest() throws IOException {}

  @Test
  void a_methods_annotation_replaces_its_classs() {
    assertThat(http.get("/class").field("RateLimit")).startsWith("\"Classes\";r=4;");
    assertThat(http.get("/class/other").field("RateLimit")).startsWith("\"Classes\";r=3;");
    Answer replaced = http.get("/class/method");
    assertThat(replaced.field("RateLimit")).startsWith("\"Classes.method\";r=1;");
    assertThat(replaced.field("RateLimit-Policy")).doesNotContain("\"Classes\";");
  }

  @Test
  void an_annotation_on_an_interface_holds_where_JAX_RS_finds_its_path() {
    assertThat(http.get("/inherited/7").field("RateLimit")).startsWith("\"Inherited.get\";r=0;");
    assertThat(http.get("/inherited/8").status()).isEqualTo(429);
  }

  @Test
  void below_a_locator_an_annotation_holds_too() {
    assertThat(http.get("/located/1/rest").field("RateLimit")).startsWith("\"Rest.get\";r=0;");
    assertThat(http.get("/located/2/rest").status()).isEqualTo(429);
  }

  @Path("class")
  @RateLimited(limit = "5 per hour")
  public static final class Classes {

    @GET
    public String get() {
      return "passed";
    }

    @GET
    @Path("other")
    public String other() {
      return "passed";
    }

    @GET
    @Path("method")
    @RateLimited(limit = "2 per hour")
    public String method() {
      return "passed";
    }
  }

  /** What a resource class implements. */
  public interface Api<T> {

    @GET
    @Path("{id}")
    @RateLimited(limit = "1 per hour")
    String get(@PathParam("id") T id);
  }

  @Path("inherited")
  public static final class Inherited implements Api<String> {

    @Override
    public String get(String id) {
      return id;
    }
  }

  @Path("located/{id}")
  public static final class Locator {

    @Path("rest")
    public Rest rest() {
      return new Rest();
    }
  }

  public static final class Rest {

    @GET
    @RateLimited(
        limit = "1 per hour",
        subject = {"ip", "path"})
    public String get() {
      return "passed";
    }
  }
}
