package dev.weir.micrometer;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an expression of Prometheus names.
 *
 * @param selectors each metric with the labels that it is selected by, and their values
 * @param groupings the labels that series are grouped or joined by
 */
record PromQl(List<Selector> selectors, Set<String> groupings) {

  private static final Pattern SELECTOR =
      Pattern.compile("\\b([a-z]+_[a-z_]+|up)\\b(?:\\{(.*?)})?");
  private static final Pattern BY_NAME = Pattern.compile("\\{__name__=~\"(.*?)\"(?:, *(.*?))?}");
  private static final Pattern MATCHER = Pattern.compile("(\\w+) *(?:=~|!~|!=|=) *\"(.*?)\"");
  private static final Pattern GROUPING =
      Pattern.compile("\\b(?:by|without|on|ignoring|group_left) *\\((.*?)\\)");
  private static final Set<String> FUNCTIONS =
      Set.of("histogram_quantile", "max_over_time", "sort_desc");

  record Selector(String metric, Map<String, List<String>> labels) {}

  static PromQl of(String expression) {
    Set<String> groupings = new TreeSet<>();
    GROUPING.matcher(expression).results().forEach(group -> groupings.addAll(list(group.group(1))));
    String selecting = GROUPING.matcher(expression).replaceAll("");
    List<Selector> byName =
        BY_NAME
            .matcher(selecting)
            .results()
            .flatMap(
                found ->
                    Stream.of(found.group(1).split("\\|", -1))
                        .map(name -> new Selector(name, labels(found.group(2)))))
            .toList();
    List<Selector> usual =
        SELECTOR
            .matcher(BY_NAME.matcher(selecting).replaceAll(""))
            .results()
            .filter(found -> !FUNCTIONS.contains(found.group(1)))
            .map(found -> new Selector(found.group(1), labels(found.group(2))))
            .toList();
    return new PromQl(Stream.concat(byName.stream(), usual.stream()).toList(), groupings);
  }

  private static List<String> list(String names) {
    return Stream.of(names.split(",", -1)).map(String::strip).filter(it -> !it.isEmpty()).toList();
  }

  private static Map<String, List<String>> labels(@Nullable String matchers) {
    Map<String, List<String>> labels = new TreeMap<>();
    if (matchers != null) {
      for (MatchResult found : MATCHER.matcher(matchers).results().toList()) {
        labels.put(found.group(1), Arrays.asList(found.group(2).split("\\|", -1)));
      }
    }
    return labels;
  }
}
