package dev.weir.config;

import dev.weir.config.internal.document.Variables;

/** The environment in which an engine runs. */
record Environment(Variables variables, ClassLoader classLoader, Poller poller) {}
