/** What must be accounted for or has its time: numbers, API keys, what the logs forget. */
import { findOldestBody } from "../../../storage/diagnosis.ts";
import { listKeyRows } from "../../../storage/keys.ts";
import { findWatermark } from "../../../storage/retention.ts";
import { auditCounters, describeHole } from "../../numbering/audit-numbers.ts";
import { FORGETTING } from "../../logs/log-codes.ts";
import { counted, type Finding, findingsOf, type OpenPatient, orOk } from "./doctor-finding.ts";

const DAY_MS = 86_400_000;

const numbering = findingsOf("numbering");

export async function checkNumbering({ inspection, command }: OpenPatient): Promise<Finding[]> {
  const { holes } = await auditCounters(inspection.session, {});
  const next = command(null, "numbering audit");
  return orOk(
    holes.map((hole) => numbering.problem(describeHole(hole).en, { mode: hole.mode, next })),
    numbering.ok("Every number is accounted for."),
  );
}

const keys = findingsOf("keys");

/** Time enough to give a new one to those who use it. */
const EXPIRING_DAYS = 14;

export async function checkKeys({ inspection, clock, command }: OpenPatient): Promise<Finding[]> {
  const findings: Finding[] = [];
  const now = clock.now();
  const soon = new Date(clock.nowMs() + EXPIRING_DAYS * DAY_MS).toISOString();
  for (const row of await listKeyRows(inspection.session)) {
    const { id, mode, name, expires_at, last_used_at } = row;
    if (row.revoked_at !== null || expires_at === null || expires_at >= soon) continue;
    const create = command(null, `keys create --mode ${mode} --name "…"`);
    const revoke = command(null, `keys revoke ${id}`);
    const details = { mode, next: `${create}, then ${revoke}`, subjects: [id] };
    const text = `The ${mode} key "${name}" (…${row.last4})`;
    if (expires_at >= now)
      findings.push(keys.notice(`${text} expires on ${expires_at.slice(0, 10)}.`, details));
    else if (wasInUse(expires_at, last_used_at))
      findings.push(
        keys.problem(`${text} was in use until it expired on ${expires_at.slice(0, 10)}.`, details),
      );
    else
      findings.push(
        keys.notice(`${text} expired on ${expires_at.slice(0, 10)}.`, { ...details, next: revoke }),
      );
  }
  return orOk(findings, keys.ok("No API key has expired or expires soon."));
}

/** Used in its last week: whoever used it is refused now. */
function wasInUse(expiresAt: string, lastUsedAt: string | null): boolean {
  return lastUsedAt !== null && Date.parse(lastUsedAt) >= Date.parse(expiresAt) - 7 * DAY_MS;
}

const retention = findingsOf("retention");

/** The forgetting runs each night: two days late is no longer the night that was missed. */
const LATE_DAYS = 2;

/** Overdue only where something is there that should be forgotten: who runs no server may have nothing yet. */
export async function checkRetention({
  inspection,
  clock,
  config,
  command,
}: OpenPatient): Promise<Finding[]> {
  const { session } = inspection;
  const kinds = [
    { prefix: "rql", what: "requests", days: config.retention.requestBodiesDays },
    { prefix: "pcl", what: "provider calls", days: config.retention.providerBodiesDays },
  ] as const;
  const day = await findWatermark(session, FORGETTING);
  const lastRun = day === undefined ? "has never run" : `last ran on ${day}`;
  const findings: Finding[] = [];
  for (const { prefix, what, days } of kinds) {
    const oldest = await findOldestBody(session, prefix);
    const limit = new Date(clock.nowMs() - (days + LATE_DAYS) * DAY_MS).toISOString();
    if (oldest === undefined || oldest >= limit) continue;
    findings.push(
      retention.problem(
        `Bodies of ${what} are kept beyond ${counted(days, "day")}: the nightly forgetting ${lastRun}.`,
        { next: `leave the server running: ${command(null, "serve")}` },
      ),
    );
  }
  return orOk(findings, retention.ok("The logs keep nothing beyond its time."));
}
