package dev.weir;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks long suites that hold no bounds of time. {@code mvn -Pfull verify} runs two of them at
 * once; the others run alone.
 */
@Tag("side-by-side")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface SideBySide {}
