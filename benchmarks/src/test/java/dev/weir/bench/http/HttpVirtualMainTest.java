package dev.weir.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.weir.bench.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

class HttpVirtualMainTest {

  @Test
  void another_process_reads_the_rows_that_were_written() {
    Row row = new Row("http-exact-virtual", 41_000.5, 1 / 3.0, "naive-lua");

    assertThat(HttpVirtualMain.row(HttpVirtualMain.text(row))).isEqualTo(row);
    Row noted = row.noted("not warm");
    assertThat(HttpVirtualMain.row(HttpVirtualMain.text(noted))).isEqualTo(noted);
  }

  /** Jetty would fall back on its pool, and the row would say nothing of virtual threads. */
  @Test
  @EnabledForJreRange(max = JRE.JAVA_20)
  void a_jdk_without_virtual_threads_is_refused() {
    assertThatIllegalStateException()
        .isThrownBy(JettyThreads.VIRTUAL::create)
        .withMessageContaining("no virtual threads");
  }
}
