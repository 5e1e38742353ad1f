package dev.weir.local;

/** 128 bits that stand for a counter: of bounded size whatever the client sent, and no secret. */
record CounterKey(long high, long low) {}
