package dev.weir.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The chart of the page on benchmarks, as SVG: how many exact decisions each limiter makes, and
 * what one costs Redis. Bars of one panel have one scale.
 *
 * @param suffix of the file's name
 * @param background and the others are colours
 */
record Chart(
    String suffix,
    String background,
    String text,
    String dim,
    String ours,
    String peer,
    String axis) {

  static final List<Chart> ALL =
      List.of(
          new Chart("", "#ffffff", "#1f2328", "#59636e", "#0969da", "#afb8c1", "#d1d9e0"),
          new Chart("-dark", "#0d1117", "#f0f6fc", "#9198a1", "#4493f8", "#565f69", "#3d444d"));

  private static final List<Panel> PANELS =
      List.of(
          new Panel("exact-1000keys-32t", "Decisions per second", "more is better", "%,.0f"),
          new Panel(
              "redis-cpu-1000keys", "Redis CPU per decision, in µs", "less is better", "%.1f"));

  private static final double LONGEST_BAR = 540;

  /** The bars of one metric. */
  private record Panel(String metric, String title, String hint, String format) {

    List<Bar> bars(List<Row> rows) {
      double ours = Figures.ours(rows, metric);
      return List.of(
          new Bar("Weir", ours),
          new Bar("naive Lua", Figures.peer(rows, metric, "naive-lua")),
          new Bar("Redisson", Figures.peer(rows, metric, "redisson")),
          new Bar("Bucket4j", Figures.peer(rows, metric, "bucket4j-redis")));
    }
  }

  private record Bar(String name, double value) {}

  /** Returns where this is, next to the pages. */
  Path in(Path images) {
    return images.resolve("benchmarks" + suffix + ".svg");
  }

  String of(List<Row> rows) {
    StringBuilder svg = new StringBuilder(head());
    int y = 30;
    for (Panel panel : PANELS) {
      append(svg, panel, panel.bars(rows), y);
      y += 168;
    }
    return svg.append("</svg>\n").toString();
  }

  private String head() {
    return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 350" width="800" height="350" role="img" aria-labelledby="title">
          <title id="title">Exact decisions in Redis: 1,000 keys, 32 threads</title>
          <style>
            text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; font-size: 14px; fill: %s }
            .title { font-size: 16px; font-weight: 600 }
            .dim { fill: %s; text-anchor: end }
            .label { text-anchor: end }
            .weir { fill: %s }
            .peer { fill: %s }
            .axis { stroke: %s; stroke-width: 1.5 }
          </style>
          <rect width="800" height="350" fill="%s" />
        """
        .formatted(text, dim, ours, peer, axis, background);
  }

  private static void append(StringBuilder svg, Panel panel, List<Bar> bars, int y) {
    int top = y + 14;
    double most = bars.stream().mapToDouble(Bar::value).max().orElseThrow();
    line(svg, "<text class=\"title\" x=\"24\" y=\"%d\">%s</text>", y, panel.title());
    line(svg, "<text class=\"dim\" x=\"776\" y=\"%d\">%s</text>", y, panel.hint());
    for (int i = 0; i < bars.size(); i++) {
      Bar bar = bars.get(i);
      int text = top + i * 30 + 17;
      double width = LONGEST_BAR * bar.value() / most;
      line(svg, "<text class=\"label\" x=\"110\" y=\"%d\">%s</text>", text, bar.name());
      line(
          svg,
          "<rect class=\"%s\" x=\"120\" y=\"%d\" width=\"%.1f\" height=\"22\" rx=\"3\" />",
          i == 0 ? "weir" : "peer",
          text - 15,
          width);
      String shown = String.format(Locale.ROOT, panel.format(), bar.value());
      line(svg, "<text x=\"%.1f\" y=\"%d\">%s</text>", 128 + width, text, shown);
    }
    line(
        svg,
        "<line class=\"axis\" x1=\"120\" y1=\"%d\" x2=\"120\" y2=\"%d\" />",
        top - 2,
        top + 118);
  }

  private static void line(StringBuilder svg, String format, Object... values) {
    svg.append("  ").append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
