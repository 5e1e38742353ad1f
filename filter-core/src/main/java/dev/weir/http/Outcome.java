package dev.weir.http;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** What an adapter does with a request; it only renders this, and decides nothing. */
public sealed interface Outcome
    permits Outcome.Passed, Outcome.Diverted, Outcome.Rejected, Delayed {

  /** The field that lets scripts of other origins read a response. */
  String ALLOWS_ORIGIN = "Access-Control-Allow-Origin";

  /** Fields to set on the response, whatever becomes of the request. */
  List<Field> fields();

  /**
   * A field to <em>add</em> to a response that already carries {@link #ALLOWS_ORIGIN}, so that
   * scripts of other origins may read the others; empty when there is nothing to read.
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
   * Told when the response has ended, by the one to whom it is handed; empty when nobody wants to
   * know, or somebody is to tell already.
   */
  default Optional<Completion> completion() {
    return Optional.empty();
  }

  /** The same, handing this out too, unless there is nothing to hand out. */
  default Outcome endingWith(Optional<Completion> handed) {
    return this;
  }

  /** Set the fields and pass the request on. */
  record Passed(List<Field> fields, Optional<Completion> completion) implements Outcome {

    /** Nothing to say: no rule applied. */
    public static final Passed SILENTLY = new Passed(List.of());

    public Passed {
      fields = List.copyOf(fields);
      Objects.requireNonNull(completion, "completion");
    }

    /** With nobody to tell. */
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
   * Set the fields and pass the request on to another path where that can be, or else to where it
   * goes. It is not to be decided again by the same rules, and will not be.
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
   * Answer with this status and stop.
   *
   * @param status 429, 503 or 403
   * @param body what to write, unless the container's error page is wanted
   */
  record Rejected(int status, List<Field> fields, Body body) implements Outcome {

    public Rejected {
      fields = List.copyOf(fields);
      Objects.requireNonNull(body, "body");
    }
  }

  /** The body of a rejection. */
  sealed interface Body {

    /** Leave it to the container's error page for the status. */
    record ErrorPage() implements Body {}

    /** Write this text, in UTF-8. */
    record Text(String contentType, String text) implements Body {}
  }
}
