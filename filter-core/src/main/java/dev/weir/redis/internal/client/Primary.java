package dev.weir.redis.internal.client;

/** The parts that the connections to one primary share. */
record Primary(
    Host address, PrimarySettings settings, CircuitBreaker circuitBreaker, Background background) {}
