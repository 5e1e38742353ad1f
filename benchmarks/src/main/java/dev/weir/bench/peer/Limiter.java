package dev.weir.bench.peer;

/** A contender on Redis that also answers what a filter writes into a response. */
public interface Limiter extends Contender {

  /** Requests one permit for a subject by name. */
  Answer answer(String subject);
}
