package dev.weir.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.authenticator.FormAuthenticator;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.LoginConfig;
import org.apache.tomcat.util.descriptor.web.SecurityCollection;
import org.apache.tomcat.util.descriptor.web.SecurityConstraint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The form login of Tomcat itself, behind a Valve. A failure is its error page, a success is a
 * redirect to the page that was requested. Tomcat takes every path that ends so, by any method.
 */
class FormLoginTest {

  private final Tomcat tomcat = new Tomcat();

  @AfterEach
  void stop() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }

  @Test
  void failed_logins_are_limited_and_successful_ones_are_free(@TempDir Path directory)
      throws Exception {
    RawHttp http = start(directory);
    for (int i = 0; i < 5; i++) {
      assertThat(login(http, "right").status()).as("success").isEqualTo(303);
    }
    for (int i = 0; i < 3; i++) {
      Answer failure = login(http, "wrong");
      assertThat(failure.status()).isEqualTo(200);
      assertThat(failure.body()).isEqualTo("failed");
    }
    assertThat(login(http, "wrong").status()).isEqualTo(429);
    assertThat(login(http, "right").status()).as("also a success, then").isEqualTo(429);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /j_security_check",
    "HEAD, /j_security_check",
    "POST, /x/j_security_check",
    "GET, /x/y/j_security_check",
    "GET, /j_security_check;x",
    "GET, /x/../j_security_check"
  })
  void whatever_Tomcat_takes_for_a_login_is_limited(
      String method, String path, @TempDir Path directory) throws Exception {
    RawHttp http = start(directory);
    String guess = path + "?j_username=ada&j_password=";
    assertThat(http.send(method, guess + "right", session(http)).status()).isEqualTo(303);
    for (int i = 0; i < 3; i++) {
      assertThat(http.send(method, guess + i, session(http)).status()).isEqualTo(200);
    }
    assertThat(http.send(method, guess + "right", session(http)).status()).isEqualTo(429);
  }

  private static Answer login(RawHttp http, String password) {
    return http.postForm(
        "/j_security_check", "j_username=ada&j_password=" + password, session(http));
  }

  private static String session(RawHttp http) {
    Answer page = http.get("/private.html");
    assertThat(page.body()).isEqualTo("login");
    return "Cookie: " + page.field("Set-Cookie").split(";", 2)[0];
  }

  private RawHttp start(Path directory) throws Exception {
    String rules =
        "rules: [{ name: logins, match: /**/j_security_check, subject: ip, limits: [3 per hour],"
            + " count: '!3xx' }]";
    Path pages = Files.createDirectories(directory.resolve("pages"));
    Files.writeString(pages.resolve("private.html"), "private");
    Files.writeString(pages.resolve("login.html"), "login");
    Files.writeString(pages.resolve("failed.html"), "failed");
    Path file = Files.writeString(directory.resolve("weir.yaml"), rules);
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.addUser("ada", "right");
    tomcat.addRole("ada", "clerk");
    Context shop = tomcat.addContext("/shop", pages.toString());
    Tomcat.addServlet(shop, "files", new DefaultServlet());
    shop.addServletMappingDecoded("/", "files");
    SecurityCollection all = new SecurityCollection();
    all.addPattern("/private.html");
    SecurityConstraint constraint = new SecurityConstraint();
    constraint.addCollection(all);
    constraint.addAuthRole("clerk");
    shop.addConstraint(constraint);
    shop.setLoginConfig(new LoginConfig("FORM", "shop", "/login.html", "/failed.html"));
    RateLimitValve valve = new RateLimitValve();
    valve.setProperty("config", file.toString());
    shop.getPipeline().addValve(valve);
    shop.getPipeline().addValve(new FormAuthenticator());
    tomcat.start();
    return new RawHttp(
        URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/shop"));
  }
}
