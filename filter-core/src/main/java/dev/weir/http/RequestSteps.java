package dev.weir.http;

import dev.weir.http.internal.decide.RuleDecider;
import dev.weir.http.internal.decide.RuleEvents;
import dev.weir.http.internal.response.ResponseFields;
import dev.weir.http.internal.response.SharedRetries;

/**
 * The steps that all requests of one limiter take, in this order.
 *
 * @param clientAddress finds the client
 * @param admission admits a request that the node has room for
 * @param resolver resolves what the rules charge
 * @param decider decides by the store
 * @param retries spreads the retries of denied clients
 * @param fields renders the decision
 * @param events reports what happens on the way
 */
record RequestSteps(
    ClientAddress clientAddress,
    Admission admission,
    ChargeResolver resolver,
    RuleDecider decider,
    SharedRetries retries,
    ResponseFields fields,
    RuleEvents events) {}
