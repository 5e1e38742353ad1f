package dev.weir.config;

/** The environment in which an engine runs. */
record Environment(Variables variables, ClassLoader classLoader, Poller poller) {}
