/** `/metrics` (docs/contract.md#metrics): for this machine only, or for clients with the token if one is configured. */
import { hash, timingSafeEqual } from "node:crypto";
import { type H3Event, HTTPResponse } from "h3";
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { isLocalOrAddress } from "../hosts.ts";
import { isFromThisMachine, trustedNetworks } from "../peer.ts";
import { bearerOf, requestIdOf } from "../request.ts";

/** Responds 401 without the configured token, and 404 to other machines if none is configured. */
export function createMetricsPage(appliance: Appliance): (event: H3Event) => Promise<HTTPResponse> {
  const { metricsToken, trustedProxies, platformRequestIdHeader } = appliance.config.server;
  const trusted = trustedNetworks(trustedProxies);
  return async (event) => {
    requireReader(event, metricsToken, isFromThisMachine(event, trusted));
    const { contentType, text } = await appliance.metrics();
    return new HTTPResponse(await text(), {
      headers: {
        "content-type": contentType,
        "x-request-id": requestIdOf(event.req.headers, platformRequestIdHeader),
      },
    });
  };
}

function requireReader(event: H3Event, token: string, isLocal: boolean): void {
  if (token !== "") {
    const given = bearerOf(event.req.headers);
    if (given === undefined || !equalsSecret(given, token))
      throw new AppError("unauthorized", {
        en: "The metrics require their token: Authorization: Bearer <server.metrics_token>",
        el: "Οι μετρήσεις απαιτούν το διακριτικό τους: Authorization: Bearer <server.metrics_token>",
      });
    return;
  }
  // DNS rebinding: a foreign page in the operator's browser could otherwise read the metrics.
  const isNamed = !isLocalOrAddress(event.req.headers.get("host") ?? "localhost");
  if (!isLocal || isNamed)
    throw new AppError("not_found", {
      en: "The metrics are available only on this machine, at localhost or its address; set server.metrics_token to read them from elsewhere",
      el: "Οι μετρήσεις διατίθενται μόνο σε αυτόν τον υπολογιστή, στο localhost ή στη διεύθυνσή του· ορίστε το server.metrics_token για ανάγνωση από αλλού",
    });
}

/** Compares in constant time. */
function equalsSecret(given: string, token: string): boolean {
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", token, "buffer"));
}
