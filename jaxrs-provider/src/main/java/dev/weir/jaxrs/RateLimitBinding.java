package dev.weir.jaxrs;

import dev.weir.config.ConfigurationException;
import dev.weir.config.RuleReference;
import dev.weir.jaxrs.RateLimitProvider.Bound;
import dev.weir.jaxrs.RateLimitProvider.Configured;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A feature that binds the rules of annotations to resource methods, once, when the application
 * starts. Annotations below a sub-resource locator are checked at that time, as far as its return
 * type shows them. They are bound when they are first reached. A method that cannot be bound then
 * answers all requests with 503. The running application does not stop, and the method is never
 * unlimited.
 */
final class RateLimitBinding implements DynamicFeature {

  private static final Logger LOGGER = System.getLogger(RateLimitBinding.class.getName());

  private final Configured configured;
  private final RateLimitProvider provider;
  private final Consumer<RuntimeException> whenStartFails;
  private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();
  private final Set<String> reported = ConcurrentHashMap.newKeySet();

  /**
   * @param whenStartFails called before an exception stops the application from starting: JAX-RS
   *     does not notify a feature of that
   */
  RateLimitBinding(
      Configured configured,
      RateLimitProvider provider,
      Consumer<RuntimeException> whenStartFails) {
    this.configured = configured;
    this.provider = provider;
    this.whenStartFails = whenStartFails;
  }

  /**
   * @throws ConfigurationException when an annotation of the method or its class cannot be used,
   *     and the application has not started yet
   * @throws IllegalStateException when an annotation counts by address, no address is available,
   *     and the application has not started yet
   */
  @Override
  public void configure(ResourceInfo resource, FeatureContext context) {
    Class<?> type = resource.getResourceClass();
    Method method = resource.getResourceMethod();
    if (provider.hasServed()) {
      bindOrRefuse(type, method, context);
    } else {
      checkBelow(Stream.of(type));
      stoppingStart(() -> bind(type, method, context));
    }
  }

  /**
   * Checks the resources that the locators of these classes lead to.
   *
   * @throws ConfigurationException as {@link #configure}
   * @throws IllegalStateException as {@link #configure}
   */
  void checkBelow(Stream<Class<?>> resources) {
    stoppingStart(() -> resources.forEach(this::checkLocators));
  }

  private void stoppingStart(Runnable binding) {
    try {
      binding.run();
    } catch (RuntimeException e) {
      whenStartFails.accept(e);
      throw e;
    }
  }

  private void bindOrRefuse(Class<?> resource, Method method, FeatureContext context) {
    try {
      bind(resource, method, context);
    } catch (RuntimeException e) {
      String element = Place.of(resource, method).element();
      if (reported.add(element)) {
        LOGGER.log(
            Level.ERROR, "requests to {0} are refused with 503: {1}", element, e.getMessage());
      }
      RateLimitProvider.refuse(context);
    }
  }

  private void bind(Class<?> resource, Method method, FeatureContext context) {
    bound(resource, method).ifPresent(filter -> filter.register(context));
  }

  /** Returns the bound rules; empty without annotations. */
  private Optional<Bound> bound(Class<?> resource, Method method) {
    List<RuleReference> references = references(resource, method);
    if (references.isEmpty()) {
      return Optional.empty();
    }
    references.forEach(configured.weir()::bind);
    Bound bound = new Bound(provider, references, template(resource, method));
    bound.requireAddress();
    return Optional.of(bound);
  }

  /** Checks each class once: locators may form a cycle. */
  private void checkLocators(Class<?> resource) {
    if (!checked.add(resource)) {
      return;
    }
    for (Method method : resource.getMethods()) {
      boolean isLocator =
          annotations(resource, method).anyMatch(Path.class::isInstance)
              && annotations(resource, method).noneMatch(RateLimitBinding::isOfHttpMethod);
      if (!isLocator) {
        continue;
      }
      if (annotations(resource, method)
          .anyMatch(it -> it instanceof RateLimited || it instanceof RateLimited.All)) {
        throw new IllegalArgumentException(
            "@RateLimited at %s: on a sub-resource locator (expected: on what it leads to)"
                .formatted(Place.of(resource, method).element()));
      }
      Class<?> located = located(method);
      Stream.of(located.getMethods())
          .filter(each -> annotations(located, each).anyMatch(RateLimitBinding::isOfHttpMethod))
          .forEach(each -> bound(located, each));
      checkLocators(located);
    }
  }

  private static boolean isOfHttpMethod(Annotation annotation) {
    return annotation.annotationType().isAnnotationPresent(HttpMethod.class);
  }

  private static Stream<Annotation> annotations(Class<?> resource, Method method) {
    return declarations(resource, method).stream()
        .flatMap(declared -> Stream.of(declared.getAnnotations()));
  }

  /** Returns the class that a locator declares to return, as an object or as a {@code Class}. */
  private static Class<?> located(Method locator) {
    return locator.getGenericReturnType() instanceof ParameterizedType type
            && type.getRawType() == Class.class
            && type.getActualTypeArguments()[0] instanceof Class<?> named
        ? named
        : locator.getReturnType();
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
    List<RuleReference> references = new ArrayList<>(limits.length);
    for (RateLimited limit : limits) {
      if (limit.limit().isEmpty()) {
        configured.requireFound(); // it names a rule
      }
      int others = references.size();
      String name = others == 0 ? place.name() : place.name() + "." + (others + 1);
      references.add(reference(limit, name, "@RateLimited at " + place.element()));
    }
    return references;
  }

  private static RuleReference reference(RateLimited limited, String place, String origin) {
    if (limited.value().isEmpty() == limited.limit().isEmpty()) {
      throw new IllegalArgumentException(
          "@RateLimited at %s: value '%s', limit '%s' (expected: one of the two)"
              .formatted(place, limited.value(), limited.limit()));
    }
    RuleReference reference =
        RuleReference.of(place, limited.value() + limited.limit())
            .withOrigin(origin)
            .withSubject(List.of(limited.subject()));
    return limited.cost() == 1 ? reference : reference.withCost(limited.cost());
  }

  /**
   * Returns the resource's template; below a sub-resource locator, it begins with the class name.
   */
  private static String template(Class<?> resource, Method method) {
    String root = path(types(resource).stream()).orElse(resource.getSimpleName());
    String rest = path(declarations(resource, method).stream()).orElse("");
    return ("/" + root + "/" + rest).replaceAll("/+", "/").replaceAll("(?<=.)/$", "");
  }

  private static Optional<String> path(Stream<? extends AnnotatedElement> places) {
    return places
        .filter(place -> place.isAnnotationPresent(Path.class))
        .map(place -> place.getAnnotation(Path.class).value())
        .findFirst();
  }

  /** Returns the method, then those that it implements or overrides, nearest first. */
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
    return general.getName().equals(special.getName())
        && general.getParameterCount() == special.getParameterCount()
        && IntStream.range(0, general.getParameterCount())
            .allMatch(
                i ->
                    general.getGenericParameterTypes()[i] instanceof TypeVariable
                        || general.getParameterTypes()[i] == special.getParameterTypes()[i]);
  }

  /** Returns the class, then its superclasses, then the interfaces of all these. */
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
   * The element that carries limits.
   *
   * @param name the name of its limits in keys and answers
   * @param element the full name of the class or method
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
}
