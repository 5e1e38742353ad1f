package dev.weir.containers;

import dev.weir.fixture.Jdk;

/** A container, and what it runs on. */
record Place(Container container, Jdk jdk) {

  Edition edition() {
    return container.edition();
  }

  @Override
  public String toString() {
    return container.name() + ", " + edition() + ", " + jdk;
  }
}
