package dev.weir.config;

import dev.weir.internal.store.Failures;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.stream.Stream;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/** Registers engines in JMX. A failure of JMX is logged and has no other effect. */
final class Management {

  /** The MBean, with the descriptions that consoles show. */
  private static final class Described extends StandardMBean {

    Described(WeirMXBean bean) {
      super(bean, WeirMXBean.class, true);
    }

    @Override
    protected String getDescription(MBeanInfo bean) {
      return "A configuration of Weir, as it runs";
    }

    @Override
    protected String getDescription(MBeanAttributeInfo attribute) {
      return description((attribute.isIs() ? "is" : "get") + attribute.getName());
    }

    @Override
    protected String getDescription(MBeanOperationInfo operation) {
      return description(operation.getName());
    }

    private static String description(String method) {
      return Stream.of(WeirMXBean.class.getMethods())
          .filter(each -> each.getName().equals(method))
          .map(each -> each.getAnnotation(Description.class).value())
          .findFirst()
          .orElseThrow();
    }
  }

  private static final Logger LOG = System.getLogger("dev.weir.config");
  private static final int MOST_OF_ONE_NAME = 10_000;

  private Management() {}

  /**
   * Registers an engine as an MBean, and returns an action that unregisters it. Without Redis, the
   * name of the application is empty.
   */
  static AutoCloseable show(
      WeirRuntime runtime, String application, Optional<String> contextPath, String source) {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName name =
          register(
              new Described(new ManagedWeir(runtime)),
              server,
              keys(application, contextPath),
              source);
      return () -> unregister(server, name);
    } catch (JMException | RuntimeException | LinkageError failed) {
      LOG.log(Level.WARNING, () -> source + ": not shown by JMX: " + Failures.brief(failed));
      return () -> {};
    }
  }

  private static ObjectName register(Described bean, MBeanServer server, String keys, String source)
      throws JMException {
    for (int instance = 1; ; instance++) {
      ObjectName name = name(keys, instance == 1 ? source : source + "#" + instance);
      try {
        server.registerMBean(bean, name);
        return name;
      } catch (InstanceAlreadyExistsException taken) {
        if (instance == MOST_OF_ONE_NAME) {
          throw taken;
        }
      }
    }
  }

  private static String keys(String application, Optional<String> contextPath) {
    String named =
        application.isEmpty() ? "" : "application=" + ObjectName.quote(application) + ",";
    return named
        + contextPath
            .map(path -> "context=" + ObjectName.quote(path.isEmpty() ? "/" : path) + ",")
            .orElse("");
  }

  private static ObjectName name(String keys, String source) throws JMException {
    return new ObjectName("dev.weir:type=Weir," + keys + "name=" + ObjectName.quote(source));
  }

  private static void unregister(MBeanServer server, ObjectName name) {
    try {
      server.unregisterMBean(name);
    } catch (InstanceNotFoundException gone) {
      // it has already been unregistered elsewhere
    } catch (JMException | RuntimeException failed) {
      LOG.log(Level.WARNING, () -> name + ": still shown by JMX: " + Failures.brief(failed));
    }
  }
}
