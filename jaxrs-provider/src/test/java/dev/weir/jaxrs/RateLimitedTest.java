package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** What an annotation limits. */
@TestInstance(Lifecycle.PER_CLASS)
class RateLimitedTest {

  private static final String CONFIGURATION =
      """
      limits:
        daily: 3 per day
      rules:
        - { name: flood, match: /**, subject: ip, limits: [1000 per second] }
        - { name: named, match: annotations, subject: ip, limits: [1 per hour] }
        - { name: both, match: /both, subject: ip, limits: [9 per hour] }
        - { name: off, match: annotations, enabled: false, subject: ip, limits: [1 per hour] }
      """;

  @AutoClose
  private final LimitedApplication application =
      LimitedApplication.start(CONFIGURATION, Resource.class, Methods.class);

  private final RawHttp http = application.http();

  RateLimitedTest() throws IOException {}

  @Test
  void a_rule_is_bound_by_its_name() {
    assertThat(http.get("/named").field("RateLimit")).startsWith("\"named\";r=0;");
    Answer denied = http.get("/named");
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.body()).contains("\"violated-policies\":[\"named\"]");
    assertThat(denied.has("Retry-After")).isTrue();
  }

  @Test
  void a_limit_of_the_file_is_shared_by_all_who_name_it() {
    String key = "X-API-Key: shared";
    assertThat(http.get("/daily/one", key).field("RateLimit")).startsWith("\"daily\";r=2;");
    assertThat(http.get("/daily/two", key).field("RateLimit")).startsWith("\"daily\";r=1;");
  }

  @Test
  void a_limit_in_place_is_the_methods_own() {
    assertThat(http.get("/own").field("RateLimit")).startsWith("\"Resource.own\";r=1;");
    assertThat(http.get("/own").field("RateLimit")).startsWith("\"Resource.own\";r=0;");
    assertThat(http.get("/own").status()).isEqualTo(429);
  }

  @Test
  void HEAD_counts_like_the_GET_that_answers_it() {
    assertThat(http.send("HEAD", "/head").isPassed()).isTrue();
    assertThat(http.get("/head").status()).isEqualTo(429);
  }

  @Test
  void a_request_takes_as_many_permits_as_it_costs() {
    assertThat(http.get("/dear").field("RateLimit")).startsWith("\"Methods.dear\";r=2;");
    assertThat(http.get("/dear").status()).isEqualTo(429);
  }

  @Test
  void several_are_decided_together_and_each_counts() {
    Answer answer = http.get("/several");
    assertThat(answer.field("RateLimit-Policy"))
        .contains("\"Methods.several\";q=2;w=3600")
        .contains("\"Methods.several.2\";q=5;w=60");
    http.get("/several");
    assertThat(http.get("/several").body()).contains("\"violated-policies\":[\"Methods.several\"]");
  }

  @Test
  void the_path_is_the_template_and_not_what_was_asked_for() {
    assertThat(http.get("/reports/1").isPassed()).isTrue();
    assertThat(http.get("/reports/2").status()).isEqualTo(429);
    assertThat(http.get("/reports/1/pages").isPassed()).as("another template").isTrue();
  }

  @Test
  void a_rule_that_the_file_has_decided_is_not_charged_again() {
    assertThat(http.get("/both").field("RateLimit")).startsWith("\"both\";r=8;");
    assertThat(http.get("/both").field("RateLimit")).startsWith("\"both\";r=7;");
  }

  @Test
  void a_rule_that_is_disabled_limits_nothing() {
    assertThat(http.get("/off").field("RateLimit")).startsWith("\"flood\"");
    assertThat(http.get("/off").field("RateLimit")).startsWith("\"flood\"");
  }

  @Test
  void an_exception_carries_the_fields() {
    Answer answer = http.get("/throwing");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.field("RateLimit")).startsWith("\"Methods.throwing\";r=8;");
  }

  @Path("/")
  public static final class Methods {

    @GET
    @Path("daily/one")
    @RateLimited(value = "daily", subject = "header:X-API-Key")
    public String one() {
      return "passed";
    }

    @GET
    @Path("daily/two")
    @RateLimited(value = "daily", subject = "header:X-API-Key")
    public String two() {
      return "passed";
    }

    @GET
    @Path("head")
    @RateLimited(limit = "1 per hour")
    public String head() {
      return "passed";
    }

    @GET
    @Path("dear")
    @RateLimited(limit = "5 per hour", cost = 3)
    public String dear() {
      return "passed";
    }

    @GET
    @Path("several")
    @RateLimited(limit = "2 per hour", subject = "ip")
    @RateLimited(limit = "5 per minute", subject = "global")
    public String several() {
      return "passed";
    }

    @GET
    @Path("reports/{id: [0-9]+}")
    @RateLimited(
        limit = "1 per hour",
        subject = {"ip", "path"})
    public String report(@PathParam("id") String id) {
      return id;
    }

    @GET
    @Path("reports/{id}/pages")
    @RateLimited(
        limit = "1 per hour",
        subject = {"ip", "path"})
    public String pages(@PathParam("id") String id) {
      return id;
    }

    @GET
    @Path("both")
    @RateLimited("both")
    public String both() {
      return "passed";
    }

    @GET
    @Path("off")
    @RateLimited("off")
    public String off() {
      return "passed";
    }

    @GET
    @Path("throwing")
    @RateLimited(limit = "9 per hour")
    public String throwing() {
      throw new NotFoundException();
    }
  }
}
