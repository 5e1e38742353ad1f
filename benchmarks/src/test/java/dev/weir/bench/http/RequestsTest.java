package dev.weir.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RequestsTest {

  private static Stream<String> keys(Requests requests) {
    return Stream.generate(() -> StandardCharsets.US_ASCII.decode(requests.next()).toString())
        .map(request -> request.replaceFirst("(?s).*X-API-Key: (.*)\r\n\r\n", "$1"));
  }

  @Test
  void known_clients_take_turns() {
    assertThat(keys(Requests.of("/a/", 2)).limit(3))
        .containsExactly(
            "user-00000000000000001", "user-00000000000000000", "user-00000000000000001");
  }

  @Test
  void a_made_up_key_occurs_once() {
    assertThat(keys(Requests.madeUp("/a/", 98)).limit(3))
        .containsExactly(
            "user-00000000000000099", "user-00000000000000100", "user-00000000000000101");
  }
}
