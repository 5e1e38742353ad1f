package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.RawHttp;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers throw for cookies that they cannot read, or drop them: they count as they were sent. */
class MalformedCookieTest {

  private static final String BY_COOKIE =
      """
      rules:
        - name: all
          match: /**
          subject: cookie:session
          missing: shared
          deny: { key: cookie:session, sha256: 823d95a9a728f14d626df9a894705dda27417b8927412364255b515e9f2ac2e2 }
          limits: [2 per hour]
      """;

  @ParameterizedTest
  @EnumSource
  void a_cookie_that_cannot_be_read_counts_as_it_was_sent_and_is_no_failure(ServerKind kind)
      throws Exception {
    try (Weir weir = Weir.of(BY_COOKIE);
        Server server =
            kind.start(
                ScenarioApplication.with(
                    new RateLimitFeature(weir).clientAddress(Server::peerAddress)))) {
      RawHttp http = new RawHttp(server.base());
      String path = kind.path("/a");
      assertThat(http.get(path).isPassed()).isTrue();
      assertThat(http.get(path, "Cookie: $Version=one; session=y").isPassed()).isTrue();
      assertThat(http.get(path, "Cookie: $Version=one; session=y").isPassed()).isTrue();
      assertThat(http.get(path, "Cookie: session=y").status()).isEqualTo(429);
      assertThat(http.get(path, "Cookie: $Version=one; session=stolen").status()).isEqualTo(403);
      assertThat(http.get(path, "Cookie: session=stolen").status()).isEqualTo(403);
      assertThat(http.get(path, "Cookie: session=stolen; session=x").status()).isEqualTo(403);
      assertThat(http.get(path, "Cookie: session=x; session=stolen").status()).isEqualTo(403);
    }
  }
}
