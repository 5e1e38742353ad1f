package dev.weir.http;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** What an adapter does with a request. The adapter only renders this, and decides nothing. */
public sealed interface Outcome
    permits Outcome.Passed, Outcome.Diverted, Outcome.Rejected, Delayed {

  /** The field that allows scripts of other origins to read a response. */
  String ALLOWS_ORIGIN = "Access-Control-Allow-Origin";

  /** Returns the fields to set on the response, whatever happens to the request. */
  List<Field> fields();

  /**
   * Returns a field to <em>add</em> to a response that already carries {@link #ALLOWS_ORIGIN}. It
   * allows scripts of other origins to read the other fields. Empty when there is nothing to read.
   */
  default Optional<Field> exposure() {
    String names =
        fields().stream()
            .map(Field::name)
            .filter(name -> !name.equals("Cache-Control"))
            .collect(Collectors.joining(", "));
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(new Field("Access-Control-Expose-Headers", names));
  }

  /**
   * Returns the completion to which the receiver must report the end of the response. Empty when
   * nothing requires the end, or when an earlier receiver already reports it.
   */
  default Optional<Completion> completion() {
    return Optional.empty();
  }

  /** Returns whether the request now goes on to the application. */
  default boolean goesOn() {
    return true;
  }

  /** Returns the same outcome with this completion. Returns this one if the completion is empty. */
  default Outcome endingWith(Optional<Completion> handed) {
    return this;
  }

  /** Set the fields and pass the request on. */
  record Passed(List<Field> fields, Optional<Completion> completion) implements Outcome {

    /** The outcome without fields: no rule applied. */
    public static final Passed SILENTLY = new Passed(List.of());

    public Passed {
      fields = List.copyOf(fields);
      Objects.requireNonNull(completion, "completion");
    }

    /** Creates one without a completion. */
    public Passed(List<Field> fields) {
      this(fields, Optional.empty());
    }

    Outcome towards(String path) {
      return new Diverted(path, fields, completion);
    }

    @Override
    public Passed endingWith(Optional<Completion> handed) {
      return handed.isEmpty() ? this : new Passed(fields, handed);
    }
  }

  /**
   * Set the fields and forward the request to another path. If that is impossible, pass it on to
   * its own path. The same rules must not decide the request again, and they do not.
   *
   * @param path within the application, starting with a slash
   */
  record Diverted(String path, List<Field> fields, Optional<Completion> completion)
      implements Outcome {

    public Diverted {
      Objects.requireNonNull(path, "path");
      fields = List.copyOf(fields);
      Objects.requireNonNull(completion, "completion");
    }

    @Override
    public Diverted endingWith(Optional<Completion> handed) {
      return handed.isEmpty() ? this : new Diverted(path, fields, handed);
    }
  }

  /**
   * Send a response with this status and stop.
   *
   * @param status 429, 503 or 403
   * @param body what to write, unless the container's error page must be sent
   */
  record Rejected(int status, List<Field> fields, Body body) implements Outcome {

    public Rejected {
      fields = List.copyOf(fields);
      Objects.requireNonNull(body, "body");
    }

    /** Returns false, because the request stops here. */
    @Override
    public boolean goesOn() {
      return false;
    }
  }

  /** The body of a rejection. */
  sealed interface Body {

    /** The container's error page for the status. */
    record ErrorPage() implements Body {}

    /** This text, in UTF-8. */
    record Text(String contentType, String text) implements Body {}
  }
}
