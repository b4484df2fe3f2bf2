/** `/metrics` (decisions 1): for this machine alone, or for who has the token once there is one. */
import { hash, timingSafeEqual } from "node:crypto";
import { type H3Event, HTTPResponse } from "h3";
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { isLocalOrAddress } from "../hosts.ts";
import { isFromThisMachine, trustedNetworks } from "../peer.ts";
import { bearerOf, requestIdOf } from "../request.ts";

/** Answers 401 without the token where there is one, 404 to other machines where there is none. */
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
    if (given === undefined || !isSame(given, token))
      throw new AppError(
        "unauthorized",
        "The metrics need their token: Authorization: Bearer <server.metrics_token>",
      );
    return;
  }
  // A page that had its own name point here would be read by the operator's browser, on this machine.
  const isNamed = !isLocalOrAddress(event.req.headers.get("host") ?? "localhost");
  if (!isLocal || isNamed)
    throw new AppError(
      "not_found",
      "The metrics are for the machine itself, at localhost or its address; set server.metrics_token to read them from elsewhere",
    );
}

/** In a time that tells nothing of how much of it fits. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", token, "buffer"));
}
