package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A container can allow ambiguous paths and refuse to return them. They are counted anyway. */
class SuspiciousPathTest {

  @Test
  void a_path_that_the_container_does_not_tell_is_limited(@TempDir Path directory)
      throws Exception {
    Map<String, String> params = Map.of("limit", "1 per hour", "match", "/login");
    try (JettyContainer jetty = JettyContainer.startUnsafe()) {
      jetty.deploy(WebApp.in(directory, params));
      RawHttp http = new RawHttp(jetty.base());
      assertThat(http.get("/login").status()).isEqualTo(200);
      for (String path : List.of("/login%2F", "/x%2F..%2Flogin", "/login%00")) {
        Answer answer = http.get(path);
        assertThat(answer.isDenied() || answer.isMalformed()).as(path + answer).isTrue();
      }
    }
  }
}
