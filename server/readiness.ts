/** Builds the response of `/readyz`: whether the server takes documents now, and if not, why and what to do. */

import { HELD_REASON } from "../src/journal/held.ts";

/** Why a check fails. Shows no paths or stored data, since `/readyz` needs no key. */
interface Reason {
  check: string;
  message: string;
  next_step: string;
}

/** The reasons by the name of the check. */
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
