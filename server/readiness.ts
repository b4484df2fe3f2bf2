/** `/readyz` (decisions 1): whether documents can be sent here now, and where not, why and what to do. */

import { HELD_REASON } from "../src/journal/held.ts";

/** What stands in the way of one check; says nothing of paths or of what is stored. */
interface Reason {
  check: string;
  message: string;
  next_step: string;
}

/** By the name of the check. Whoever adds a check adds its reason. */
const REASONS: Readonly<Record<string, Omit<Reason, "check">>> = {
  database: {
    message: "The database cannot be written",
    next_step: "see the server's log for the reason, and run fiscal doctor on its machine",
  },
  migrated: {
    message: "A newer fiscal has brought the database up since this server started",
    next_step: "end this server, and start the newer version",
  },
  master_key: {
    message: "The master key is not loaded",
    next_step: "run fiscal doctor on the server's machine",
  },
  active: {
    message: HELD_REASON,
    next_step: "once the appliance that the backup was taken of is off for good: fiscal resume",
  },
  space: {
    message: "There is too little room on the disk of the database: no documents are taken",
    next_step: "make room on the disk; the server goes on by itself",
  },
  accepting: {
    message: "The server is stopping: it finishes what is under way and takes nothing new",
    next_step: "send requests to another server, or wait until it is started again",
  },
};
const UNKNOWN = { message: "This check fails", next_step: "run fiscal doctor on the server's machine" };

/** The status and body: each check by its name, and a reason for each that fails. */
export function answerReadiness(
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
