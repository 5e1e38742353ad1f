package dev.weir.http.spi;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** What an adapter does with a request. The adapter only renders this, and decides nothing. */
public sealed interface Outcome {

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

    /** Returns the same outcome with this completion. Returns this one if it is empty. */
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
  }

  /**
   * Send a response with this status and stop.
   *
   * @param status 429, 503 or 403
   * @param added fields to <em>add</em> to the lines that others have set
   * @param body what to write, unless the application or the container must send its page
   */
  record Rejected(int status, List<Field> fields, List<Field> added, Body body) implements Outcome {

    public Rejected {
      fields = List.copyOf(fields);
      added = List.copyOf(added);
      Objects.requireNonNull(body, "body");
    }
  }

  /** The body of a rejection. */
  sealed interface Body {

    /**
     * The container's error page for the status.
     *
     * @param instead what to write where the container sends no error page; it names no limit
     */
    record ErrorPage(Text instead) implements Body {

      /** The methods for which Jetty sends error pages; for others it sends an empty body. */
      private static final Set<String> OF_JETTY = Set.of("GET", "HEAD", "POST");

      public ErrorPage {
        Objects.requireNonNull(instead, "instead");
      }

      @Override
      public Optional<Text> text(String serverInfo, String method) {
        boolean isJetty = serverInfo.toLowerCase(Locale.ROOT).startsWith("jetty");
        return isJetty && !OF_JETTY.contains(method) ? Optional.of(instead) : Optional.empty();
      }
    }

    /**
     * What the application answers to a GET of this path. Its answer changes neither the status nor
     * the fields, and no rule counts it.
     *
     * @param path within the application, starting with a slash
     * @param instead what to write where nothing can be forwarded
     */
    record Forward(String path, Text instead) implements Body {

      public Forward {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(instead, "instead");
      }

      @Override
      public Optional<Text> text(String serverInfo, String method) {
        return Optional.of(instead);
      }
    }

    /** This text, in UTF-8. */
    record Text(String contentType, String text) implements Body {

      @Override
      public Optional<Text> text(String serverInfo, String method) {
        return Optional.of(this);
      }
    }

    /**
     * Returns the text to write as the body, where nothing is forwarded. Empty when the server must
     * send its error page.
     *
     * @param serverInfo the name of a servlet container and its version; empty without one
     * @param method of the request
     */
    Optional<Text> text(String serverInfo, String method);
  }

  /** A response field. Its value is made of configuration and numbers only, never of a request. */
  record Field(String name, String value) {}

  /**
   * The outcome of a request that waits for permits, without a thread. It is passed on or rejected
   * once that is decided. If it leaves the queue before, its charges are refunded as {@link #leave}
   * describes. Thread-safe.
   *
   * @param place cancelled when the request leaves the queue
   * @param later the final outcome of the request, which is never another of these. It completes on
   *     a thread that other requests wait for, so dependent actions must not block. It fails when
   *     the client has {@linkplain #leave left}, and when the container has ended the request
   *     during its wait. What was charged is refunded then. Nothing else that a client does makes
   *     it fail, and no outage does
   * @param longest the longest time until the outcome, including the store's own time
   * @param otherwise the rejection for a failure of the waiting itself
   */
  record Delayed(
      Future<?> place, CompletionStage<Outcome> later, Duration longest, Rejected otherwise)
      implements Outcome {

    public Delayed {
      Objects.requireNonNull(place, "place");
      Objects.requireNonNull(later, "later");
      Objects.requireNonNull(longest, "longest");
      Objects.requireNonNull(otherwise, "otherwise");
    }

    /** Returns no fields, because nothing is decided yet. */
    @Override
    public List<Field> fields() {
      return List.of();
    }

    /**
     * Leaves the queue, because the client has gone or cannot be answered later. Its permits are
     * refunded, unless a later request was already granted permits behind it. Has no effect once
     * there is an outcome.
     */
    public void leave() {
      place.cancel(true);
    }
  }
}
