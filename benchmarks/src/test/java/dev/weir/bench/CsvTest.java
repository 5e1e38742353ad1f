package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CsvTest {

  @Test
  void a_row_is_a_line_in_the_order_of_the_header() {
    String csv =
        Csv.of(
            List.of(
                new Row("exact-1000keys-32t", 52_431.7, 40_000.2, "naive-lua"),
                new Row("inprocess-ns", 61.23456, 120.5, "bucket4j-local")));

    assertThat(csv)
        .isEqualTo(
            """
            metric,ours,peer,peer_name,ratio,load,steal,note
            exact-1000keys-32t,52432,40000,naive-lua,1.311,,,
            inprocess-ns,61.23,120.5,bucket4j-local,0.5082,,,
            """);
  }

  @Test
  void small_numbers_are_written_out_and_zero_is_zero() {
    String csv = Csv.of(List.of(new Row("deny-late", 0, 0.0000123456, "denials")));

    assertThat(csv).endsWith("deny-late,0,0.00001235,denials,0,,,\n");
  }

  @Test
  void a_row_tells_its_conditions_and_one_that_is_void_why() {
    Conditions busy = new Conditions(0.5, 1.25);
    String csv =
        Csv.of(
            List.of(
                new Row("m", 3, 2, "p").noted("JDK 25").under(busy),
                Row.voided("m", "p", "PING 1.40 ms of 1").under(busy)));

    assertThat(csv)
        .endsWith("m,3,2,p,1.5,0.50,1.3,JDK 25\nm,,,p,,0.50,1.3,void: PING 1.40 ms of 1\n");
  }

  @Test
  void what_is_divided_by_nothing_has_no_ratio() {
    String csv = Csv.of(List.of(new Row("m", 3, 0, "p"), new Row("m", 0, 0, "p")));

    assertThat(csv).endsWith("m,3,0,p,,,,\nm,0,0,p,,,,\n");
  }
}
