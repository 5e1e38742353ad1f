package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.http.RawHttp;
import dev.weir.http.RequestFunction;
import dev.weir.http.RequestView;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a user's function is shown of a request. */
class RequestViewTest {

  private static final String BY_FUNCTION =
      """
      rules:
        - name: all
          match: /**
          subject: dev.weir.jaxrs.RequestViewTest$SeenSubject
          missing: shared
          limits: [9 per hour]
      """;

  @BeforeEach
  void forget() {
    SeenSubject.SEEN.clear();
  }

  @ParameterizedTest
  @EnumSource
  void a_path_is_decoded_without_parameters_and_a_host_has_no_port(ServerKind kind)
      throws Exception {
    try (Weir weir = Weir.of(BY_FUNCTION);
        Server server =
            kind.start(
                ScenarioApplication.with(
                    new RateLimitFeature(weir).clientAddress(Server::peerAddress)))) {
      String path = kind.path("/a+b%20c");
      assertThat(new RawHttp(server.base()).get(path + ";x=1/d?e=f").isPassed()).isTrue();
      assertThat(SeenSubject.SEEN).containsExactly("127.0.0.1 " + kind.path("/a+b c/d"));
    }
  }

  /** Records each request that it receives, and finds no subject. */
  public static final class SeenSubject implements RequestFunction {

    private static final List<String> SEEN = new CopyOnWriteArrayList<>();

    @Override
    public Optional<String> apply(RequestView request) {
      SEEN.add(request.host().orElse("nowhere") + " " + request.path());
      return Optional.empty();
    }
  }
}
