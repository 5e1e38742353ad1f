package dev.weir;

/**
 * A plot of what one limit decides about a sequence of requests, as an SVG.
 *
 * <p>Time is on the x axis. Each request is a tick: above a line if it was granted, below it if it
 * was denied. The curve beneath shows what the limit has left, what it holds, or how many requests
 * wait. It has steps, because permits are whole. Ticks on its axis show when requests run, where
 * they may have to wait.
 *
 * <p>A page shows the file as an image, which has no style of the page and runs no script. So the
 * colours are attributes, and there is one file for light pages and one for dark ones.
 *
 * <p>Coordinates are tenths of a pixel, counted in whole numbers. So the same decisions make the
 * same file on each machine.
 */
final class LimitPlot {

  private static final int WIDTH = 720;
  private static final int HEIGHT = 232;
  private static final int LEFT = 76;
  private static final int RIGHT = 704;

  /** The line between requests that were granted and those that were denied. */
  private static final int REQUESTS = 50;

  private static final int TICK = 16;
  private static final int TOP = 92;
  private static final int BOTTOM = 188;

  private final String limit;
  private final String meaning;
  private final long most;
  private final int endMillis;
  private final StringBuilder granted = new StringBuilder();
  private final StringBuilder denied = new StringBuilder();
  private final StringBuilder runs = new StringBuilder();
  private final StringBuilder curve = new StringBuilder();
  private long level = -1;

  /** The colours of one kind of page. The background is that of the page. */
  record Colours(String text, String grid, String granted, String denied, String curve) {

    static final Colours LIGHT = new Colours("#57606a", "#d0d7de", "#1a7f37", "#cf222e", "#0969da");
    static final Colours DARK = new Colours("#9198a1", "#3d444d", "#3fb950", "#f85149", "#58a6ff");
  }

  /**
   * @param limit as a configuration has it
   * @param meaning of the curve, in one word
   * @param most the largest value of the curve
   * @param endMillis when the plot ends
   */
  LimitPlot(String limit, String meaning, long most, int endMillis) {
    this.limit = limit;
    this.meaning = meaning;
    this.most = most;
    this.endMillis = endMillis;
  }

  /** Adds a request that was granted or denied at this time. */
  void request(int millis, boolean isGranted) {
    if (isGranted) {
      granted.append(tick(millis, REQUESTS - TICK, REQUESTS - 2));
    } else {
      denied.append(tick(millis, REQUESTS + 2, REQUESTS + TICK));
    }
  }

  /** Adds the time at which a granted request runs, where it may have to wait. */
  void run(int millis) {
    runs.append(tick(millis, BOTTOM + 2, BOTTOM + 8));
  }

  /** Sets the value of the curve from this time on. Times never go back. */
  void level(int millis, long value) {
    if (value != level) {
      String y = decimal(BOTTOM * 10 - value * 10 * (BOTTOM - TOP) / most);
      boolean isFirst = curve.isEmpty();
      curve.append(isFirst ? "M" : "H").append(x(millis)).append(isFirst ? "," : "V").append(y);
      level = value;
    }
  }

  /** Returns the whole file. */
  String svg(Colours colours) {
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns='http://www.w3.org/2000/svg' width='%1$s' height='%2$s' viewBox='0 0 %1$s %2$s' \
        font-family='sans-serif' font-size='12'>
        """
            .formatted(WIDTH, HEIGHT));
    svg.append(text(LEFT, 18, "start", colours.text, limit));
    for (int millis = 0; millis <= endMillis; millis += 1_000) {
      svg.append(path(tick(millis, TOP, BOTTOM), colours.grid, "1"));
      svg.append(text(tenths(millis) / 10, BOTTOM + 24, "middle", colours.text, millis / 1_000));
    }
    svg.append(text(RIGHT, BOTTOM + 40, "end", colours.text, "seconds"));
    svg.append(path(line(REQUESTS), colours.grid, "1"));
    svg.append(path(line(BOTTOM), colours.text, "1"));
    svg.append(text(LEFT - 8, REQUESTS - 5, "end", colours.granted, "granted"));
    svg.append(text(LEFT - 8, REQUESTS + 14, "end", colours.denied, "denied"));
    svg.append(text(LEFT - 8, TOP + 4, "end", colours.text, most));
    svg.append(text(LEFT - 8, (TOP + BOTTOM) / 2 + 4, "end", colours.curve, meaning));
    svg.append(text(LEFT - 8, BOTTOM + 4, "end", colours.text, 0));
    svg.append(path(granted.toString(), colours.granted, "1.5"));
    svg.append(path(denied.toString(), colours.denied, "1.5"));
    svg.append(path(runs.toString(), colours.granted, "1.5"));
    svg.append(path(curve + "H" + RIGHT, colours.curve, "1.5"));
    return svg.append("</svg>\n").toString();
  }

  private String tick(int millis, int from, int to) {
    return "M" + x(millis) + "," + from + "V" + to;
  }

  private static String line(int y) {
    return "M" + LEFT + "," + y + "H" + RIGHT;
  }

  private static String path(String data, String colour, String width) {
    return data.isEmpty()
        ? ""
        : "<path d='%s' fill='none' stroke='%s' stroke-width='%s'/>".formatted(data, colour, width)
            + "\n";
  }

  private static String text(int x, int y, String anchor, String colour, Object content) {
    return "<text x='%s' y='%s' text-anchor='%s' fill='%s'>%s</text>"
            .formatted(x, y, anchor, colour, content)
        + "\n";
  }

  private String x(int millis) {
    return decimal(tenths(millis));
  }

  private int tenths(int millis) {
    return LEFT * 10 + millis * 10 * (RIGHT - LEFT) / endMillis;
  }

  private static String decimal(long tenths) {
    return tenths / 10 + "." + tenths % 10;
  }
}
