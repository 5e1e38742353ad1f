package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.RawHttp;
import dev.weir.servlet.HttpClients.Protocol;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clients that try to buy more than their limit by what they send. Most tests have two permits for
 * what is one to the application, and send it in every spelling: two may reach the application.
 */
class EvasionTest {

  private static final int REACHED = 200;
  private static final int PERMITS = 2;

  private static final List<String> ORDER_SEVEN =
      List.of(
          "/orders/7/verify",
          "/orders/%37/verify",
          "/orders/7;a/verify",
          "/orders/7;jsessionid=1A/verify",
          "/orders/7;a=1;b=2/verify",
          "/orders/;a/7/verify",
          "/orders;x/7/verify",
          "/orders/7/verify;y",
          "/orders/7;%61/verify",
          "//orders/7/verify",
          "/orders//7/verify",
          "/orders/7//verify",
          "/./orders/7/verify",
          "/orders/./7/verify",
          "/x/../orders/7/verify",
          "/orders/8/../7/verify",
          "/x/..;/orders/7/verify",
          "/%6frders/7/verify",
          "/orders/7/%76erify",
          "/orders/7/verify?orderId=8");

  /** Fields and a query, as in {@code X-API-Key=K ?api_key=K}. */
  private static final List<String> KEY =
      List.of(
          "X-API-Key=K",
          "?api_key=K",
          "x-api-key=K",
          "X-API-KEY=K",
          "X-API-Key=K ?api_key=made-up-1",
          "X-API-Key=made-up-2 ?api_key=K",
          "?api_key=K&api_key=made-up-3",
          "?api%5Fkey=K",
          "?api_key=%4B",
          "?a=%zz&api_key=K",
          "?;api_key=x&api_key=K",
          "X-API-Key=K X-API-Key=made-up-4",
          "?api_key=K&x=1");

  /** Where a failed login leads, each in the spelling of another application. */
  private static final List<String> TO_THE_ERROR =
      List.of(
          "/shop/login?error",
          "/shop/login;jsessionid=1A?error",
          "/shop/login?error=locked",
          "/shop/login?error#form",
          "/shop/./login?error",
          "/shop/x/../login?error",
          "/shop//login?error",
          "/shop/l%6Fgin?error",
          "login?error",
          "./login?error",
          "http://127.0.0.1/shop/login?error",
          "https://127.0.0.1:8443/shop/login?error",
          "//127.0.0.1/shop/login?error",
          "HTTP://127.0.0.1/shop/login?error");

  /** What only looks like the page behind a login. */
  private static final List<String> NOT_HOME =
      List.of(
          "//evil.example/home",
          "http://evil.example/shop/home",
          "http://127.0.0.1@evil.example/shop/home",
          "http://127.0.0.1.evil.example/shop/home",
          "/\\evil.example/home",
          "/shop/home/../login?error",
          "/shop/home/..;/login?error",
          "/shop/homeless",
          "/shop/home/x",
          "/home",
          "javascript:/shop/home",
          "/shop/%zz/home",
          "/shop/login?next=/shop/home",
          "/shop/login#/shop/home",
          "");

  /** Answers 200 to what it takes for the order 7 or the key K, and to every guessed password. */
  public static final class Application extends HttpServlet {

    @Serial private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      String path = request.getServletPath();
      if (path.equals("/keys")) {
        boolean isKnown =
            "K".equals(request.getHeader("X-API-Key"))
                || "K".equals(request.getParameter("api_key"));
        response.setStatus(isKnown ? REACHED : 401);
      } else if (path.startsWith("/login")) {
        response.setStatus(302);
        String to = request.getHeader("To");
        response.setHeader("Location", to == null ? request.getContextPath() + "/login?error" : to);
      }
    }
  }

  static Stream<Arguments> containersAndProtocols() {
    return RequestedRulesTest.containersAndProtocols();
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void an_order_has_one_limit_in_every_spelling_of_its_path(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    String rules =
        "{ name: r, match: '/orders/{orderId}/verify', subject: path:orderId,"
            + " limits: [2 per hour] }";
    try (Container container = started(starter, directory, rules);
        HttpClients http = protocol.client(container.base())) {
      assertThat(ORDER_SEVEN.stream().map(http::get).filter(status -> status == REACHED))
          .hasSize(PERMITS);
      assertThat(http.get("/orders/8/verify")).as("another order").isEqualTo(REACHED);
    }
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void a_key_has_one_limit_wherever_and_however_it_is_sent(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    String rules =
        "{ name: r, match: /keys, subject: { first-of: [header:X-API-Key, query:api_key] },"
            + " limits: [2 per hour] }";
    try (Container container = started(starter, directory, rules);
        RawClient http = new RawClient(protocol, container)) {
      Stream<String> requests =
          KEY.stream().filter(it -> protocol == Protocol.HTTP_1_1 || !it.contains("%zz"));
      assertThat(requests.map(http::get).filter(status -> status == REACHED)).hasSize(PERMITS);
      assertThat(http.get("X-API-Key=K")).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void made_up_names_buy_no_more_than_the_rule_by_address_allows(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    String rules =
        "{ name: names, match: /**, except: /free, subject: basic-user, limits: [2 per hour] },"
            + " { name: all, match: /**, except: /free, subject: ip, limits: [10 per hour] }";
    try (Container container = started(starter, directory, rules);
        HttpClients http = protocol.client(container.base())) {
      Stream<Integer> statuses =
          IntStream.range(0, 20)
              .mapToObj(i -> http.get("/api", "Authorization", basic("user-" + i + ":x")));
      assertThat(statuses.filter(status -> status == REACHED)).hasSize(10);
      assertThat(
              new RawHttp(container.base())
                  .from("127.0.0.2", "GET", "/api", "Authorization: " + basic("user-1:right"))
                  .status())
          .as("the user whose name was guessed, at another address")
          .isEqualTo(REACHED);
    }
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void a_guessed_user_has_one_limit_however_the_name_is_sent(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    String rules = "{ name: names, match: /api, subject: basic-user, limits: [2 per hour] }";
    String credentials = basic("ada:1").substring("Basic ".length());
    try (Container container = started(starter, directory, rules);
        HttpClients http = protocol.client(container.base())) {
      Stream<Integer> statuses =
          Stream.of(
                  "Basic " + credentials,
                  "basic " + credentials,
                  "BASIC  " + credentials,
                  "Basic " + credentials.replace("=", ""),
                  "Basic " + credentials + "==",
                  "Basic " + credentials.charAt(0) + " " + credentials.substring(1),
                  basic("ada:2"),
                  basic(" ada:3"),
                  basic("ada :4"),
                  basic("ada:5:6"),
                  "Basic\t" + credentials,
                  "Basic:" + credentials,
                  "Basic " + credentials.replace("=", "") + "=AAAA",
                  basic("ada:ü"))
              .map(authorization -> http.get("/api", "Authorization", authorization));
      assertThat(statuses.filter(status -> status == REACHED)).hasSize(PERMITS);
    }
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void sessions_that_are_made_up_count_by_address(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    String rules = "{ name: r, match: /api, subject: session:user, limits: [2 per hour] }";
    try (Container container = started(starter, directory, rules);
        HttpClients http = protocol.client(container.base())) {
      Stream<Integer> statuses =
          Stream.of(
                  "JSESSIONID=1",
                  "JSESSIONID=2",
                  "JSESSIONID=",
                  "JSESSIONID=3; JSESSIONID=4",
                  "jsessionid=5",
                  "user=ada",
                  "JSESSIONID=" + "A".repeat(300))
              .map(cookie -> http.get("/api", "Cookie", cookie));
      assertThat(statuses.filter(status -> status == REACHED)).hasSize(PERMITS);
      assertThat(http.get("/api;jsessionid=6")).isEqualTo(429);
      assertThat(http.get("/api?jsessionid=7")).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void a_failed_login_counts_however_its_Location_is_spelled(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    assertTwoPass(starter, protocol, directory, "redirect:/login?error*", TO_THE_ERROR);
  }

  @ParameterizedTest
  @MethodSource("containersAndProtocols")
  void only_the_page_behind_the_login_is_a_success(
      Containers.Starter starter, Protocol protocol, @TempDir Path directory) throws Exception {
    assertTwoPass(starter, protocol, directory, "!redirect:/home", NOT_HOME);
  }

  /** Tomcat has the path of the application as the client sends it. */
  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void a_failed_login_counts_however_the_path_of_the_application_is_spelled(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    String rules =
        "{ name: r, match: /login, subject: global, limits: [2 per hour],"
            + " count: 'redirect:/login?error*' }";
    try (Container container = started(starter, directory, rules)) {
      RawHttp http = new RawHttp(container.base().resolve("/"));
      Stream<Integer> statuses =
          Stream.of(
                  "x/../shop/login",
                  "./shop/login",
                  "x/..;/shop/login",
                  "/shop/login",
                  "%73hop/login",
                  "shop;x/login",
                  "shop/login/",
                  "shop/./login",
                  "shop/login;x")
              .map(path -> http.get(path).status());
      assertThat(statuses.filter(status -> status == 302)).hasSize(PERMITS);
    }
  }

  private static void assertTwoPass(
      Containers.Starter starter,
      Protocol protocol,
      Path directory,
      String count,
      List<String> locations)
      throws Exception {
    String rules =
        "{ name: r, match: /login, subject: header:N, limits: [1 per hour], count: '"
            + count
            + "' }";
    try (Container container = started(starter, directory, rules);
        HttpClients http = protocol.client(container.base())) {
      for (int i = 0; i < locations.size(); i++) {
        String[] headers = {"N", "n" + i, "To", locations.get(i)};
        assertThat(http.get("/login", headers)).isEqualTo(302);
        assertThat(http.get("/login", headers)).as(locations.get(i)).isEqualTo(429);
      }
    }
  }

  private static String basic(String credentials) {
    return "Basic "
        + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
  }

  private static Container started(Containers.Starter starter, Path directory, String rules)
      throws Exception {
    Container container = starter.run();
    container.deploy(
        WebApp.in(directory, WebApp.webXml(Application.class.getName()))
            .with("WEB-INF/weir.yaml", "rules: [" + rules + "]"));
    return container;
  }

  /** Sends requests to {@code /keys}, over HTTP/1.1 byte for byte. */
  private record RawClient(Protocol protocol, Container container) implements AutoCloseable {

    int get(String request) {
      List<String> parts = List.of(request.split(" ", -1));
      String query = parts.stream().filter(part -> part.startsWith("?")).findFirst().orElse("");
      String[] fields =
          parts.stream()
              .filter(part -> !part.startsWith("?"))
              .map(part -> part.replaceFirst("=", ": "))
              .toArray(String[]::new);
      if (protocol == Protocol.HTTP_1_1) {
        return new RawHttp(container.base()).get("/keys" + query, fields).status();
      }
      String[] headers =
          Stream.of(fields)
              .flatMap(field -> Stream.of(field.split(": ", 2)))
              .toArray(String[]::new);
      try (HttpClients http = protocol.client(container.base())) {
        return http.get("/keys" + query, headers);
      }
    }

    @Override
    public void close() {}
  }
}
