package dev.weir.config;

import dev.weir.config.ConfigurationException.Problem;
import dev.weir.http.internal.page.PageAccess;
import dev.weir.internal.InvalidValueException;
import dev.weir.internal.Redaction;
import dev.weir.internal.Spelling;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** A reader of the init-params of a status page. It collects the problems in them. */
final class StatusParams {

  private static final String ALLOW = "allow";
  private static final String HOSTS = "hosts";
  private static final String CONFIG = "config";
  private static final Set<String> KNOWN = Set.of(ALLOW, HOSTS, CONFIG);

  private static final String AUTHENTICATED = "authenticated";
  private static final String SEPARATORS = "[,\\s]+";

  private final Map<String, String> params;
  private final String servlet;
  private final List<Problem> problems = new ArrayList<>();

  private StatusParams(WeirSource source) {
    params = source.initParams();
    servlet = "servlet " + Redaction.quoted(source.owner());
  }

  /**
   * Returns who may read the page.
   *
   * @throws ConfigurationException with every problem in the init-params
   */
  static PageAccess access(WeirSource source) {
    StatusParams reader = new StatusParams(source);
    reader.requireKnown();
    PageAccess access = reader.access();
    if (!reader.problems.isEmpty()) {
      throw new ConfigurationException(reader.problems);
    }
    return access;
  }

  static boolean hasConfiguration(WeirSource source) {
    return source.initParams().containsKey(CONFIG);
  }

  /** Returns the init-params that are not about access. */
  static Map<String, String> ofConfiguration(WeirSource source) {
    Map<String, String> others = new HashMap<>(source.initParams());
    others.keySet().retainAll(Set.of(CONFIG));
    return others;
  }

  private void requireKnown() {
    for (String param : new TreeSet<>(params.keySet())) {
      if (!KNOWN.contains(param)) {
        String found = "init-param " + Redaction.quoted(param);
        problem("", found, "allow, hosts or config", Spelling.nearest(param, KNOWN));
      }
    }
  }

  private PageAccess access() {
    List<String> allow = list(ALLOW);
    Set<String> hosts = hosts();
    if (allow.equals(List.of(AUTHENTICATED))) {
      return PageAccess.ofUsers(hosts);
    }
    if (allow.contains(AUTHENTICATED)) {
      String all = Redaction.quoted(String.join(", ", allow));
      problem(ALLOW, all, "networks, or 'authenticated' alone", Optional.empty());
      return PageAccess.ofNetworks(List.of(), hosts);
    }
    List<String> networks = allow.stream().filter(this::isNetwork).toList();
    return isNetworks(networks)
        ? PageAccess.ofNetworks(networks, hosts)
        : PageAccess.ofNetworks(List.of(), hosts);
  }

  private boolean isNetwork(String text) {
    return isNetworks(List.of(text));
  }

  private boolean isNetworks(List<String> texts) {
    try {
      PageAccess unused = PageAccess.ofNetworks(texts, Set.of());
      return true;
    } catch (InvalidValueException wrong) {
      Optional<String> near =
          texts.size() == 1
              ? Spelling.nearest(texts.get(0), List.of(AUTHENTICATED))
              : Optional.empty();
      problem(ALLOW, wrong.value(), wrong.expected() + ", or 'authenticated'", near);
      return false;
    }
  }

  private Set<String> hosts() {
    Set<String> hosts = new HashSet<>();
    for (String host : list(HOSTS)) {
      if (PageAccess.isHostName(host)) {
        hosts.add(host);
      } else {
        String expected = "host names without a scheme and a port, such as shop-1.internal";
        problem(HOSTS, Redaction.quoted(host), expected, Optional.empty());
      }
    }
    return hosts;
  }

  /** Returns the elements of a list. It is empty if there is no such init-param. */
  private List<String> list(String param) {
    String value = params.get(param);
    if (value == null) {
      return List.of();
    }
    List<String> elements =
        Stream.of(value.split(SEPARATORS)).filter(element -> !element.isEmpty()).toList();
    if (elements.isEmpty()) {
      problem(param, "nothing", "a value, or no such init-param", Optional.empty());
    }
    return elements;
  }

  private void problem(String param, String found, String expected, Optional<String> near) {
    String field = param.isEmpty() ? "" : "init-param '" + param + "'";
    problems.add(new Problem(servlet, 0, 0, field, found, expected, near));
  }
}
