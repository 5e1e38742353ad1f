package dev.weir.config;

import dev.weir.http.ClientPolicy;
import dev.weir.http.NamedLimit;
import java.util.List;

/**
 * What a rule charges.
 *
 * @param all the limits of all clients together
 * @param policy who has which of them
 */
record RuleLimits(List<NamedLimit> all, ClientPolicy policy) {}
