package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.ConfigurationException.Problem;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Counters of a limit in place bear the name of the place, so only one annotation may have it. */
class OnePlaceTest {

  private static final RuleReference ONE =
      RuleReference.of("Orders.list", "2 per hour").withOrigin("one.Orders.list()");
  private static final RuleReference OTHER =
      RuleReference.of("Orders.list", "2 per hour").withOrigin("other.Orders.list()");

  private final Weir weir =
      Weir.open(Weirs.webInf("limits: { daily: 9 per day }", Weirs.application()));

  @AfterEach
  void close() {
    weir.close();
  }

  @Test
  void an_annotation_that_is_found_again_is_the_same() {
    assertThat(Weirs.bound(weir, ONE)).hasSize(1).isEqualTo(Weirs.bound(weir, ONE));
  }

  @Test
  void two_of_one_place_are_refused_even_with_equal_limits() {
    weir.bind(ONE);
    Problem problem = Complaints.only(() -> weir.bind(OTHER));
    assertThat(problem)
        .hasToString(
            "Orders.list: annotation: '2 per hour' of other.Orders.list() (expected: the name of a"
                + " limit of /WEB-INF/weir.yaml, or one with a name of its own, for '2 per hour' of"
                + " one.Orders.list() is called 'Orders.list')");
  }

  @Test
  void two_of_one_place_may_name_one_limit() {
    RuleReference named = RuleReference.of("Orders.list", "daily");
    weir.bind(named.withOrigin("one.Orders.list()"));
    assertThat(Weirs.bound(weir, named.withOrigin("other.Orders.list()"))).hasSize(1);
    assertThat(Weirs.bound(weir, named.withSubject(List.of("global")))).hasSize(1);
  }
}
