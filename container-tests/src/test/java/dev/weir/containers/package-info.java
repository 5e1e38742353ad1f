/** What users deploy, in the containers and servers that they have. */
@NullMarked
package dev.weir.containers;

import org.jspecify.annotations.NullMarked;
