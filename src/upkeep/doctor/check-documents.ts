/** Documents that do not move by themselves, or take too long. */
import {
  findAbandoned,
  findPassedNumbers,
  findFailedDocuments,
  findIdleDocuments,
  isAnyoneAtWork,
  findPendingDocuments,
  findSurplusForPerson,
  type PendingDocument,
} from "../../../storage/diagnosis.ts";
import { MODES, type Mode } from "../../../storage/stored-values.ts";
import { HELD_BY_ANOTHER } from "../../numbering/allocate.ts";
import type { ErrorObject } from "../../foundation/errors.ts";
import { readJsonOrNull } from "../../foundation/json.ts";
import { counted, type Finding, findingsOf, type OpenPatient, orOk } from "./doctor-finding.ts";

const { ok, problem } = findingsOf("documents");
const queue = findingsOf("queue");

const HOUR_MS = 3_600_000;
/** Without a number to hold on to, a failure is of interest for a week. */
const FAILED_DAYS = 7;
/** Of one kind and mode: beyond, the exact count is no help. */
const LOOKED_AT_MAX = 1000;
/** A working server takes what is due within seconds. */
const IDLE_MS = 120_000;

export async function checkDocuments(patient: OpenPatient): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const mode of MODES) {
    findings.push(...(await findStuck(patient, mode)));
    findings.push(...(await findFailed(patient, mode)));
    findings.push(...(await findSurplus(patient, mode)));
    findings.push(...(await findTaken(patient, mode)));
  }
  return orOk(findings, ok("No document has been on its way for more than an hour."));
}

/** Why a pending document has no outcome. */
const REASONS = {
  connection: "Waiting for a connection that the provider refuses",
  aside: "Set aside, because they cannot be worked as they are stored",
  queued: "Queued for more than an hour",
  submitting: "Being sent for more than an hour",
  awaiting_mark: "Without a MARK more than an hour after they were sent",
  reconciling: "Sent more than an hour ago, and what came of it is unknown",
} as const;
type Reason = keyof typeof REASONS;

function reasonOf(document: PendingDocument, before: string): Reason | undefined {
  const { phase, next_at, lease_until } = document;
  if (phase === "queued" && document.connection_status === "invalid") return "connection";
  if (next_at === null && lease_until === null) return "aside";
  // One that was put back into the queue a while ago is as young as that.
  const since = document.stage_since ?? document.updated_at;
  return since < before ? (phase as Reason) : undefined;
}

const NEXT: Record<Reason, (patient: OpenPatient, mode: Mode, first: PendingDocument) => string> = {
  connection: ({ command }, mode, { connection_id }) =>
    command(mode, `connections verify ${connection_id ?? ""}`).trim(),
  aside: ({ command }, mode, { id }) =>
    `look at the server's log, and ${command(mode, `documents show ${id}`)}`,
  queued: ({ command }, mode, { id }) =>
    `${command(mode, "serve")}, then ${command(mode, `calls list --document ${id}`)}`,
  submitting: ({ command }, mode) => command(mode, "serve"),
  awaiting_mark: ({ command }, mode, { id }) => command(mode, `calls list --document ${id}`),
  reconciling: ({ command }, mode, { id }) => command(mode, `calls list --document ${id}`),
};

async function findStuck(patient: OpenPatient, mode: Mode): Promise<Finding[]> {
  const before = new Date(patient.clock.nowMs() - HOUR_MS).toISOString();
  const pending = await findPendingDocuments(patient.inspection.session, {
    mode,
    before,
    limit: LOOKED_AT_MAX,
  });
  const groups = Map.groupBy(pending, (document) => reasonOf(document, before));
  return [...groups].flatMap(([reason, documents]) => {
    const [first] = documents;
    if (reason === undefined || first === undefined) return [];
    const details = {
      mode,
      next: NEXT[reason](patient, mode, first),
      subjects: documents.map(({ id }) => id),
    };
    return [
      problem(
        `${REASONS[reason]}: ${counted(documents.length, `${mode} document`, LOOKED_AT_MAX)}.`,
        details,
      ),
    ];
  });
}

async function findFailed(patient: OpenPatient, mode: Mode): Promise<Finding[]> {
  const { session } = patient.inspection;
  const since = new Date(patient.clock.nowMs() - FAILED_DAYS * 24 * HOUR_MS).toISOString();
  const failed = await findFailedDocuments(session, { mode, since, limit: LOOKED_AT_MAX });
  const numberless = failed.filter(({ number }) => number === null).map(({ id }) => id);
  const abandoned = await findAbandoned(session, numberless);
  const open = failed.filter(
    ({ id, error_json }) => !abandoned.has(id) && readJsonOrNull<ErrorObject>(error_json)?.retryable === true,
  );
  const [first] = open;
  if (first === undefined) return [];
  return [
    problem(
      `Not delivered, and can be sent again: ${counted(open.length, `${mode} document`, LOOKED_AT_MAX)}.`,
      {
        mode,
        next: `${patient.command(mode, `documents retry ${first.id}`)}, or documents abandon`,
        subjects: open.map(({ id }) => id),
      },
    ),
  ];
}

async function findSurplus(patient: OpenPatient, mode: Mode): Promise<Finding[]> {
  const rows = await findSurplusForPerson(patient.inspection.session, { mode, limit: LOOKED_AT_MAX });
  if (rows.length === 0) return [];
  return [
    problem(
      `Registered twice, and could not be cancelled: ${counted(rows.length, `${mode} document`, LOOKED_AT_MAX)}.`,
      {
        mode,
        next: `cancel them at the authority: MARK ${rows[0]!.mark} first`,
        subjects: rows.map(({ document_id }) => document_id),
      },
    ),
  ];
}

/** Numbers that another program gave in the same series, in the last week. */
async function findTaken(patient: OpenPatient, mode: Mode): Promise<Finding[]> {
  const since = new Date(patient.clock.nowMs() - FAILED_DAYS * 24 * HOUR_MS).toISOString();
  const about = { mode, since, reason: HELD_BY_ANOTHER, limit: LOOKED_AT_MAX };
  const taken = await findPassedNumbers(patient.inspection.session, about);
  const [first] = taken;
  if (first === undefined) return [];
  return [
    problem(
      `Passed over in the last ${FAILED_DAYS} days, because the provider has another document there: ${counted(taken.length, `${mode} number`, LOOKED_AT_MAX)}, the last ${first.series} ${first.number} (${first.reason ?? ""}).`,
      {
        mode,
        next: "find out which other program numbers in this series, and give one of them a series of its own (merchants settings)",
        subjects: taken.flatMap(({ document_id: id }) => (id === null ? [] : [id])),
      },
    ),
  ];
}

/** Whether anybody works the queue: documents that are due are taken within seconds. */
export async function checkQueue(patient: OpenPatient): Promise<Finding[]> {
  const due = new Date(patient.clock.nowMs() - IDLE_MS).toISOString();
  const findings: Finding[] = [];
  for (const mode of MODES) {
    const idle = await findIdleDocuments(patient.inspection.session, { mode, due, limit: LOOKED_AT_MAX });
    if (idle.length === 0) continue;
    const { session } = patient.inspection;
    // A counter's documents go one after the other: behind a long queue they are due for long.
    if (await isAnyoneAtWork(session, { mode, now: patient.clock.now() })) continue;
    findings.push(
      queue.problem(
        `Due, and no server works on it: ${counted(idle.length, `${mode} document`, LOOKED_AT_MAX)}.`,
        {
          mode,
          next: patient.command(null, "serve"),
          subjects: idle.map(({ id }) => id),
        },
      ),
    );
  }
  return orOk(findings, queue.ok("Nothing that is due waits for a server."));
}
