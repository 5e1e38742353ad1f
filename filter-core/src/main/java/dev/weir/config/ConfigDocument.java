package dev.weir.config;

import java.util.Map;

/**
 * A configuration as it was found, before anything in it is judged. Two that are equal configure
 * the same, so those who open both share one {@link Weir}.
 */
sealed interface ConfigDocument {

  /** As messages and the log call it. */
  String name();

  /**
   * A file.
   *
   * @param text what it holds
   */
  record File(String name, String text) implements ConfigDocument {

    /** The text alone: one file may be found by several names. */
    @Override
    public boolean equals(Object other) {
      return other instanceof File that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * The init-params of one filter.
   *
   * @param owner the filter's name, which is the rule's unless it is told otherwise
   */
  record InitParams(String owner, Map<String, String> params) implements ConfigDocument {

    public InitParams {
      params = Map.copyOf(params);
    }

    @Override
    public String name() {
      return "filter " + Shown.quoted(owner);
    }

    /** Without the values: a param may be a secret. */
    @Override
    public String toString() {
      return name();
    }
  }
}
