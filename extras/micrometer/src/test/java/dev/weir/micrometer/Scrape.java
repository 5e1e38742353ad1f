package dev.weir.micrometer;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a scrape in the text format of Prometheus has.
 *
 * @param families the metrics by name, of all labels that a sample of them has
 * @param samples each line with a value
 */
record Scrape(Map<String, Family> families, List<Sample> samples) {

  private static final Pattern HEADER = Pattern.compile("# (HELP|TYPE) (\\S+) (.*)");
  private static final Pattern SAMPLE = Pattern.compile("([a-z_]+)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  record Family(String type, String help, Set<String> labels) {}

  record Sample(String name, Map<String, String> labels, double value) {}

  /** Reads the metrics of Weir. An agent has others too. */
  static Scrape of(String text) {
    Map<String, String> types = new TreeMap<>();
    Map<String, String> helps = new TreeMap<>();
    for (String line : text.lines().toList()) {
      Matcher header = HEADER.matcher(line);
      if (header.matches()) {
        (header.group(1).equals("TYPE") ? types : helps).put(header.group(2), header.group(3));
      }
    }
    List<Sample> samples =
        text.lines().filter(line -> line.startsWith("weir")).map(Scrape::sample).toList();
    Map<String, Family> families = new TreeMap<>();
    for (Sample sample : samples) {
      String name = family(sample.name(), types);
      families
          .computeIfAbsent(
              name,
              it ->
                  new Family(
                      types.getOrDefault(it, "none"), helps.getOrDefault(it, ""), new TreeSet<>()))
          .labels()
          .addAll(sample.labels().keySet());
    }
    return new Scrape(families, samples);
  }

  private static String family(String sample, Map<String, String> types) {
    String base = sample.replaceFirst("_(bucket|sum|count)$", "");
    return types.containsKey(sample) ? sample : base;
  }

  private static Sample sample(String line) {
    Matcher sample = SAMPLE.matcher(line);
    if (!sample.matches()) {
      throw new IllegalArgumentException(line);
    }
    String labels = sample.group(2) == null ? "" : sample.group(2);
    return new Sample(
        sample.group(1),
        LABEL
            .matcher(labels)
            .results()
            .collect(Collectors.toMap(each -> each.group(1), each -> each.group(2))),
        Double.parseDouble(sample.group(3)));
  }

  /** Returns the labels of a metric, of which a query may name the series of a histogram. */
  Set<String> labelsOf(String name) {
    Set<String> labels = new TreeSet<>();
    samples.stream()
        .filter(sample -> sample.name().equals(name))
        .forEach(sample -> labels.addAll(sample.labels().keySet()));
    return labels;
  }

  Set<String> names() {
    return samples.stream().map(Sample::name).collect(Collectors.toSet());
  }

  /** Returns the value of the only sample of this name with this label. */
  double value(String name, String label, String value) {
    return only(
        samples.stream()
            .filter(each -> each.name().equals(name) && value.equals(each.labels().get(label)))
            .toList());
  }

  double value(String name) {
    return only(samples.stream().filter(each -> each.name().equals(name)).toList());
  }

  private static double only(List<Sample> found) {
    if (found.size() != 1) {
      throw new IllegalStateException("not one: " + found);
    }
    return found.get(0).value();
  }
}
