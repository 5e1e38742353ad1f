package dev.weir.demo;

import java.net.URI;

/** The WAR in a container that runs. */
interface Deployed extends AutoCloseable {

  String CONTEXT_PATH = "/shop";

  /** Where the application answers. */
  URI base();

  @Override
  void close();
}
