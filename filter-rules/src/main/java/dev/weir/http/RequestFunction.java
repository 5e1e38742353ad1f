package dev.weir.http;

import java.util.Optional;
import java.util.function.Function;

/**
 * A user's own function of a request, as a class that a file names. As a subject it returns whom to
 * count the request for, such as a tenant found in a token. As a tier it returns the tier of the
 * client. In code, any {@code Function} of a {@link RequestView} does.
 *
 * <p>Implementations are thread-safe and quick: they run before the request is admitted. Count only
 * what the client cannot choose freely. Otherwise the client can create any number of buckets. A
 * subject that is empty or an empty string is missing, and a tier that is empty or unknown is the
 * default one. So it is if the function throws; the exception is reported.
 */
@FunctionalInterface
public interface RequestFunction extends Function<RequestView, Optional<String>> {}
