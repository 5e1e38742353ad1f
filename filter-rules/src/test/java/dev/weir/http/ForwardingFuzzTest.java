package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import inet.ipaddr.IPAddressString;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever stands in a forwarding header, the answer is an address. */
class ForwardingFuzzTest {

  private static final List<String> PIECES =
      List.of(
          "10.0.0.2",
          "203.0.113.9",
          "::ffff:1.2.3.4",
          "[2001:db8::1]",
          ":",
          "4711",
          ",",
          ", ",
          ";",
          "=",
          "for=",
          "For=\"",
          "\"",
          "\\",
          "\\\"",
          "unknown",
          "_x",
          "127.1",
          "0177.0.0.1",
          "%eth0",
          "%",
          "/8",
          "*",
          "-",
          "\0",
          "\r\n",
          "é",
          "\ud800",
          "",
          " ",
          "\t",
          "999",
          "..",
          "localhost");

  @ParameterizedTest
  @ValueSource(strings = {"X-Forwarded-For", "Forwarded"})
  void random_headers_never_fail_and_name_the_peer_or_a_literal(String header) {
    Random random = new Random(11);
    ClientAddress behind = ClientAddress.behind(List.of("10.0.0.0/8"), header);
    for (int round = 0; round < 10_000; round++) {
      FakeRequest request = FakeRequest.get("/").from("10.0.0.1");
      for (int line = random.nextInt(3); line >= 0; line--) {
        request.header(header, line(random));
      }
      String key = behind.find(request).key();
      assertThat(new IPAddressString(key).isValid() && key.matches("[0-9a-f.:]+(/64)?"))
          .as(key)
          .isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Forwarded-For", "Forwarded"})
  void whatever_precedes_it_the_address_that_the_proxy_added_is_the_client(String header) {
    Random random = new Random(12);
    ClientAddress behind = ClientAddress.behind(List.of("10.0.0.0/8"), header);
    String added = header.equals("Forwarded") ? "for=203.0.113.77" : "203.0.113.77";
    for (int round = 0; round < 10_000; round++) {
      FakeRequest request =
          FakeRequest.get("/").from("10.0.0.1").header(header, line(random) + ", " + added);
      assertThat(behind.find(request).key()).isEqualTo("203.0.113.77");
    }
  }

  private static String line(Random random) {
    StringBuilder line = new StringBuilder();
    for (int piece = random.nextInt(12); piece >= 0; piece--) {
      line.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return line.toString();
  }
}
