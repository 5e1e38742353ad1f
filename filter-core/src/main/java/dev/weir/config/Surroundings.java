package dev.weir.config;

/** Where an engine runs. */
record Surroundings(Environment environment, ClassLoader classLoader, Pulse pulse) {}
