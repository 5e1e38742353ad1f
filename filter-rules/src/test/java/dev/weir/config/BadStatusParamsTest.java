package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page's init-params with one mistake: the problem names the param and the cure. */
class BadStatusParamsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          allow  | ""                       | nothing                       | a value, or no such init-param
          allow  | "  "                     | nothing                       | a value, or no such init-param
          allow  | ","                      | nothing                       | a value, or no such init-param
          allow  | local                    | 'local'                       | a network such as
          allow  | authenticate             | 'authenticate'                | did you mean 'authenticated'?
          allow  | Authenticated            | 'Authenticated'               | or 'authenticated'
          allow  | "authenticated, 10.0.0.1" | 'authenticated, 10.0.0.1'    | networks, or 'authenticated' alone
          allow  | 10.0.0.1/8               | '10.0.0.1/8'                  | or the address alone
          allow  | 0.0.0.0/0                | '0.0.0.0/0'                   | networks that exclude some addresses, or 'authenticated'
          allow  | ::/0                     | '::/0'                        | networks that exclude some addresses, or 'authenticated'
          allow  | "0.0.0.0/1, 128.0.0.0/1" | '0.0.0.0/1, 128.0.0.0/1'      | networks that exclude some addresses, or 'authenticated'
          hosts  | ""                       | nothing                       | a value, or no such init-param
          hosts  | https://shop.internal    | 'https://shop.internal'       | host names without a scheme and a port
          hosts  | shop.internal:8080       | 'shop.internal:8080'          | host names without a scheme and a port
          hosts  | *.internal               | '*.internal'                  | host names without a scheme and a port
          alow   | 127.0.0.1                | init-param 'alow'             | did you mean 'allow'?
          limit  | 9 per second             | init-param 'limit'            | allow, hosts or config
          config | absent.yaml              | 'absent.yaml'                 | a file that exists
          config | ""                       | nothing                       | the place of a configuration file
          """)
  void the_message_names_param_value_and_cure(
      String param, String value, String found, String expected) {
    assertThat(failure(Map.of(param, value)))
        .contains("weir-status")
        .contains(param)
        .contains(found)
        .contains(expected);
  }

  @Test
  void all_mistakes_are_in_one_message() {
    Map<String, String> params = new HashMap<>();
    params.put("allow", "nowhere");
    params.put("hosts", "a b!");
    params.put("port", "8080");
    assertThat(failure(params)).contains("'nowhere'").contains("'b!'").contains("'port'");
  }

  private static String failure(Map<String, String> params) {
    WeirSource source =
        new WeirSource(
            "weir-status", params, WeirSource.Resources.NONE, WeirSource.applicationClassLoader());
    return String.valueOf(
        catchThrowableOfType(ConfigurationException.class, () -> StatusPage.open(source).close())
            .getMessage());
  }
}
