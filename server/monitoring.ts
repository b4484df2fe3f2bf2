/** What programs that watch the server ask: `/readyz`, and `/metrics`, which only this machine or a client with the token reads (docs/contract.md#metrics). */
import { type H3Event, HTTPResponse } from "h3";
import type { Appliance } from "../src/appliance.ts";
import { AppError } from "../src/foundation/errors.ts";
import { isFromThisMachine, isLocalOrAddress, trustedNetworks } from "./peer.ts";
import { bearerOf, equalsSecret } from "./request.ts";
import { HELD_REASON } from "../src/journal/held.ts";

/** Responds 401 without the configured token, and 404 to other machines if none is configured. */
export function createMetricsPage(appliance: Appliance): (event: H3Event) => Promise<HTTPResponse> {
  const { metricsToken, trustedProxies } = appliance.config.server;
  const trusted = trustedNetworks(trustedProxies);
  return async (event) => {
    requireReader(event, metricsToken, isFromThisMachine(event, trusted));
    const { contentType, text } = await appliance.metrics();
    return new HTTPResponse(await text(), { headers: { "content-type": contentType } });
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

/** Why a check fails. Shows no paths or stored data, since `/readyz` needs no key. */
interface Reason {
  check: string;
  message: string;
  next_step: string;
}

const REASONS: Readonly<Record<string, Omit<Reason, "check">>> = {
  database: {
    message: "The database is not writable",
    next_step: "see the server's log for the cause, and run fiscal doctor on its machine",
  },
  migrated: {
    message: "A newer version of fiscal has migrated the database since this server started",
    next_step: "stop this server and start the newer version",
  },
  master_key: {
    message: "The master key is not loaded",
    next_step: "run fiscal doctor on the server's machine",
  },
  active: {
    message: HELD_REASON.en,
    next_step: "once the appliance that the backup came from is shut down for good, run fiscal resume",
  },
  space: {
    message: "The disk of the database is almost full, so no documents are accepted",
    next_step: "free up disk space; the server then continues by itself",
  },
  accepting: {
    message: "The server is stopping: it finishes requests in progress and accepts no new ones",
    next_step: "send requests to another server, or wait until this one is started again",
  },
};
const UNKNOWN = { message: "This check failed", next_step: "run fiscal doctor on the server's machine" };

/** The status and body: each check by its name, and a reason for each that fails. */
export function describeReadiness(
  found: { ready: boolean; checks: Readonly<Record<string, boolean>> },
  isStopping: boolean,
): { status: number; body: string } {
  const checks: Record<string, boolean> = { ...found.checks, accepting: !isStopping };
  const isReady = found.ready && !isStopping;
  const reasons: Reason[] = Object.entries(checks)
    .filter(([, holds]) => !holds)
    .map(([check]) => ({ check, ...(REASONS[check] ?? UNKNOWN) }));
  const status = isStopping
    ? "stopping"
    : isReady
      ? "ready"
      : checks["active"] === false
        ? "held"
        : "not ready";
  return { status: isReady ? 200 : 503, body: JSON.stringify({ status, checks, reasons }) };
}
