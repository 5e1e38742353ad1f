package dev.weir.http;

/** A response field. Its value is made of configuration and numbers only, never of a request. */
public record Field(String name, String value) {}
