package dev.weir.jaxrs;

import dev.weir.config.ConfigurationException;
import dev.weir.config.RuleReference;
import dev.weir.config.Weir;
import dev.weir.http.Rule;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Binds the rules of annotations to resource methods, once, when the application starts. */
final class RateLimitBinding implements DynamicFeature {

  private final Weir weir;
  private final RateLimitProvider provider;
  private final Runnable whenStartFails;
  private final Map<String, Place> places = new ConcurrentHashMap<>();

  /**
   * @param whenStartFails run before an exception stops the application from starting: nobody tells
   *     a feature of that
   */
  RateLimitBinding(Weir weir, RateLimitProvider provider, Runnable whenStartFails) {
    this.weir = weir;
    this.provider = provider;
    this.whenStartFails = whenStartFails;
  }

  /**
   * @throws ConfigurationException when an annotation of the method or its class cannot be used
   * @throws IllegalStateException when it counts by address and nothing tells it
   */
  @Override
  public void configure(ResourceInfo resource, FeatureContext context) {
    try {
      bind(resource, context);
    } catch (RuntimeException e) {
      if (!provider.hasServed()) {
        whenStartFails.run();
      }
      throw e;
    }
  }

  private void bind(ResourceInfo resource, FeatureContext context) {
    List<RuleReference> references =
        references(resource.getResourceClass(), resource.getResourceMethod());
    if (references.isEmpty()) {
      return;
    }
    List<Supplier<List<Rule>>> bound = references.stream().map(weir::bind).toList();
    Bound filter = new Bound(provider, bound, template(resource));
    context.register(filter, priority(filter));
  }

  private int priority(Bound filter) {
    try {
      List<Rule> rules = filter.rules();
      rules.forEach(provider::requireAddressFor);
      return rules.stream().anyMatch(rule -> rule.subject().needsUser())
          ? RateLimitProvider.AFTER_AUTHENTICATION
          : RateLimitProvider.BEFORE_AUTHENTICATION;
    } catch (ConfigurationException stillToBeOpenedByTheFilter) {
      return RateLimitProvider.AFTER_AUTHENTICATION;
    }
  }

  private List<RuleReference> references(Class<?> resource, Method method) {
    for (Method declared : declarations(resource, method)) {
      RateLimited[] limits = declared.getDeclaredAnnotationsByType(RateLimited.class);
      if (limits.length > 0) {
        return references(limits, Place.of(resource, method));
      }
    }
    for (Class<?> type : types(resource)) {
      RateLimited[] limits = type.getDeclaredAnnotationsByType(RateLimited.class);
      if (limits.length > 0) {
        return references(limits, Place.of(type));
      }
    }
    return List.of();
  }

  private List<RuleReference> references(RateLimited[] limits, Place place) {
    if (Stream.of(limits).anyMatch(limit -> !limit.limit().isEmpty())) {
      claim(place);
    }
    List<RuleReference> references = new ArrayList<>(limits.length);
    for (RateLimited limit : limits) {
      int others = references.size();
      String name = place.name();
      references.add(reference(limit, others == 0 ? name : name + "." + (others + 1)));
    }
    return references;
  }

  /** Counters bear the name of the place: of two with one name, neither would have its own. */
  private void claim(Place place) {
    Place other = places.putIfAbsent(place.name(), place);
    if (other != null && !other.equals(place)) {
      throw new IllegalArgumentException(
          "@RateLimited at "
              + place.element()
              + ": a limit in place, called '"
              + place.name()
              + "' (expected: the name of a limit of the configuration, for the limit at "
              + other.element()
              + " is called so)");
    }
  }

  private static RuleReference reference(RateLimited limited, String place) {
    if (limited.value().isEmpty() == limited.limit().isEmpty()) {
      throw new IllegalArgumentException(
          "@RateLimited at "
              + place
              + ": value '"
              + limited.value()
              + "', limit '"
              + limited.limit()
              + "' (expected: one of the two)");
    }
    RuleReference reference =
        RuleReference.of(place, limited.value() + limited.limit())
            .withSubject(List.of(limited.subject()));
    return limited.cost() == 1 ? reference : reference.withCost(limited.cost());
  }

  /** The template of the resource; below a sub-resource locator, it begins with the class. */
  private static String template(ResourceInfo resource) {
    Class<?> type = resource.getResourceClass();
    String root = path(types(type).stream()).orElse(type.getSimpleName());
    String rest = path(declarations(type, resource.getResourceMethod()).stream()).orElse("");
    return ("/" + root + "/" + rest).replaceAll("/+", "/").replaceAll("(?<=.)/$", "");
  }

  private static Optional<String> path(Stream<? extends AnnotatedElement> places) {
    return places
        .filter(place -> place.isAnnotationPresent(Path.class))
        .map(place -> place.getAnnotation(Path.class).value())
        .findFirst();
  }

  /** The method, then what it implements or overrides, nearest first. */
  private static List<Method> declarations(Class<?> resource, Method method) {
    List<Method> declarations = new ArrayList<>();
    declarations.add(method);
    for (Class<?> type : types(resource)) {
      for (Method candidate : type.getDeclaredMethods()) {
        if (!candidate.isBridge() && !candidate.equals(method) && isSameMethod(candidate, method)) {
          declarations.add(candidate);
        }
      }
    }
    return declarations;
  }

  private static boolean isSameMethod(Method general, Method special) {
    if (!general.getName().equals(special.getName())
        || general.getParameterCount() != special.getParameterCount()) {
      return false;
    }
    for (int i = 0; i < general.getParameterCount(); i++) {
      boolean isGeneric = general.getGenericParameterTypes()[i] instanceof TypeVariable;
      if (!isGeneric && general.getParameterTypes()[i] != special.getParameterTypes()[i]) {
        return false;
      }
    }
    return true;
  }

  /** The class, then what it extends, then what these implement. */
  private static Set<Class<?>> types(Class<?> resource) {
    Set<Class<?>> types = new LinkedHashSet<>();
    for (Class<?> type = resource; type != null; type = type.getSuperclass()) {
      types.add(type);
    }
    for (Class<?> type : List.copyOf(types)) {
      addInterfaces(type, types);
    }
    return types;
  }

  private static void addInterfaces(Class<?> type, Set<Class<?>> types) {
    for (Class<?> each : type.getInterfaces()) {
      types.add(each);
      addInterfaces(each, types);
    }
  }

  /**
   * Where limits stand.
   *
   * @param name what limits in place are called, in keys and answers
   * @param element the very class or method
   */
  private record Place(String name, String element) {

    static Place of(Class<?> type) {
      return new Place(type.getSimpleName(), type.getName());
    }

    static Place of(Class<?> resource, Method method) {
      String parameters =
          Stream.of(method.getParameterTypes())
              .map(Class::getTypeName)
              .collect(Collectors.joining(", ", "(", ")"));
      return new Place(
          resource.getSimpleName() + "." + method.getName(),
          resource.getName() + "." + method.getName() + parameters);
    }
  }

  /** Decides the rules that one resource method is annotated with. */
  private record Bound(
      RateLimitProvider provider, List<Supplier<List<Rule>>> bound, String template)
      implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      provider.limit(request, rules(), template);
    }

    /** None that is disabled. */
    List<Rule> rules() {
      return bound.stream().flatMap(rules -> rules.get().stream()).toList();
    }
  }
}
