package dev.weir.redis;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A loader for all our classes, tests included, with one source file compiled from another text. It
 * loads all of them, so that package-private members stay accessible.
 */
final class MutantClasses extends ClassLoader {

  private static final String OURS = "dev.weir.";
  private static final JavaCompiler COMPILER =
      Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK (this is a JRE)");
  private static final JavaFileManager FILES =
      COMPILER.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);

  private final Map<String, byte[]> changed;

  private MutantClasses(Map<String, byte[]> changed) {
    super(MutantClasses.class.getClassLoader());
    this.changed = changed;
  }

  /**
   * @throws AssertionError when the text does not compile
   */
  static MutantClasses of(String className, String source) {
    Map<String, byte[]> classes = new HashMap<>();
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    List<String> options =
        List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
    boolean compiles =
        COMPILER
            .getTask(
                null,
                new InMemory(FILES, classes),
                problems,
                options,
                null,
                List.of(new Source(className, source)))
            .call();
    if (!compiles) {
      throw new AssertionError(className + " does not compile: " + problems.getDiagnostics());
    }
    return new MutantClasses(classes);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : findClass(name);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] code = changed.containsKey(name) ? changed.get(name) : unchanged(name);
    return defineClass(name, code, 0, code.length);
  }

  private byte[] unchanged(String name) throws ClassNotFoundException {
    try (InputStream code = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (code == null) {
        throw new ClassNotFoundException(name);
      }
      return code.readAllBytes();
    } catch (IOException unreadable) {
      throw new ClassNotFoundException(name, unreadable);
    }
  }

  /** A text to compile. */
  private static final class Source extends SimpleJavaFileObject {

    private final String text;

    Source(String className, String text) {
      super(
          URI.create("memory:///" + className.replace('.', '/') + Kind.SOURCE.extension),
          Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** A file manager that keeps the compiled classes. */
  private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {

    private final Map<String, byte[]> classes;

    InMemory(JavaFileManager files, Map<String, byte[]> classes) {
      super(files);
      this.classes = classes;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
        @Override
        public OutputStream openOutputStream() {
          return new ByteArrayOutputStream() {
            @Override
            public void close() {
              classes.put(className, toByteArray());
            }
          };
        }
      };
    }
  }
}
