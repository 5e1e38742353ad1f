package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Undertow throws when a request has more cookies than it reads. */
class UnreadableCookiesTest {

  @Test
  void cookies_that_the_container_cannot_read_are_read_from_the_field() {
    ServletRequestView view = new ServletRequestView(throwing("session=stolen; other=1"));
    assertThat(view.cookies("session")).containsExactly("stolen");
    assertThat(view.cookies("absent")).isEmpty();
  }

  private static HttpServletRequest throwing(String cookies) {
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            UnreadableCookiesTest.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getCookies" -> throw new IllegalArgumentException("too many cookies");
                  case "getHeaders" -> Collections.enumeration(List.of(cookies));
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
