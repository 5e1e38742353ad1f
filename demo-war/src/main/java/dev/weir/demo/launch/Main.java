package dev.weir.demo.launch;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * The main class, which runs the WAR that contains it.
 *
 * <p>A JVM cannot load classes from jars inside a WAR. So the WAR is unpacked into a temporary
 * directory, and every node deploys that. The server runs in a class loader of its own, which
 * applications see through their container only.
 */
public final class Main {

  private static final String LOG_FORMAT_PROPERTY = "java.util.logging.SimpleFormatter.format";
  private static final String LOG_FORMAT = "%1$tT %4$-7s %5$s%6$s%n";
  private static final String SERVER = "dev.weir.demo.server.DemoServer";

  private Main() {}

  public static void main(String[] arguments) throws Exception {
    if (System.getProperty(LOG_FORMAT_PROPERTY) == null) {
      System.setProperty(LOG_FORMAT_PROPERTY, LOG_FORMAT);
    }
    UnpackedWar war = UnpackedWar.unpack(thisWar());
    Callable<Integer> server = server(war, arguments);
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> stop((AutoCloseable) server, war), "demo-stop"));
    int exitCode = server.call();
    if (exitCode != 0) {
      System.exit(exitCode);
    }
  }

  private static Path thisWar() throws URISyntaxException {
    URI location = Main.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    return Path.of(location);
  }

  @SuppressWarnings("unchecked") // class loaders share only the JDK's types
  private static Callable<Integer> server(UnpackedWar war, String[] arguments)
      throws ReflectiveOperationException, IOException {
    List<URL> classPath = war.serverClassPath();
    ClassLoader loader =
        new URLClassLoader(
            "demo-server", classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    Thread.currentThread().setContextClassLoader(loader);
    try {
      return (Callable<Integer>)
          loader
              .loadClass(SERVER)
              .getConstructor(Path.class, List.class)
              .newInstance(war.directory(), List.of(arguments));
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(SERVER + " cannot be created", e.getCause());
    }
  }

  /** Closes the server first: running code still needs its classes. */
  private static void stop(AutoCloseable server, UnpackedWar war) {
    try {
      server.close();
    } catch (Exception e) {
      System.getLogger(Main.class.getName()).log(System.Logger.Level.WARNING, "stopping", e);
    } finally {
      war.delete();
    }
  }
}
