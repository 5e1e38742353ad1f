package dev.weir.config.internal.read;

import dev.weir.http.ClientPolicy;
import dev.weir.http.NamedLimit;
import java.util.List;

/**
 * The limits that a rule charges.
 *
 * @param all the limits of all clients together
 * @param policy which client has which limits
 */
record RuleLimits(List<NamedLimit> all, ClientPolicy policy) {}
