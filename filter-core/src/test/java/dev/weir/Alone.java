package dev.weir;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks tests that hold bounds of time under a long load. The build runs nothing else at the same
 * time.
 */
@Tag("alone")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Alone {}
