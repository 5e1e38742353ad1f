package dev.weir.http;

/** What a decision meant for a request, by the rules that were decided together. */
public enum RuleOutcome {
  /** The rules let it pass. */
  ALLOWED,
  /** A rule rejected it, or degraded it. */
  DENIED,
  /** A shadow would have denied it. The shadow changed nothing; other rules may have denied it. */
  SHADOW_DENIED
}
