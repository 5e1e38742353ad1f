package dev.weir;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks suites that hold no bounds of time. The build runs several of them at a time, apart from
 * all others.
 */
@Tag("side-by-side")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface SideBySide {}
