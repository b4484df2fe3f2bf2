/** The audit of everything that must hold for ever: the journal's chain, documents beside it, numbers. Reads only. */
import { countAuditedRows } from "../../../storage/audit.ts";
import type { Session } from "../../../storage/session.ts";
import { auditChain, type ChainReport } from "./event-chain-check.ts";
import { auditDocuments, auditNumbers } from "./document-check.ts";
import type { AuditListener, AuditProblem, NotedLink } from "./audit-finding.ts";

export interface Audit extends ChainReport {
  object: "audit";
  intact: boolean;
  documents: number;
  /** The first ones, in the order in which they were found. */
  problems: AuditProblem[];
  /** How many there are in all. */
  problems_found: number;
}

export interface AuditOptions {
  /** A link that was written down elsewhere, and must still be one. */
  against?: NotedLink | undefined;
  onProgress?(done: number, total: number): void;
}

/** More than a person reads; the count says how many there are. */
const PROBLEMS_KEPT_MAX = 100;
/** Rows between two turns for everything else of this process. */
const ROWS_A_TURN = 500;

/** Audits what the session sees, which must be one state. Memory does not grow with the rows. */
export async function audit(session: Session, options: AuditOptions = {}): Promise<Audit> {
  const total = await countAuditedRows(session);
  const problems: AuditProblem[] = [];
  let found = 0;
  let done = 0;
  const listener: AuditListener = {
    problem(problem) {
      found += 1;
      if (problems.length < PROBLEMS_KEPT_MAX) problems.push(problem);
    },
    row() {
      done += 1;
      if (done % ROWS_A_TURN !== 0) return undefined;
      options.onProgress?.(done, Math.max(done, total));
      return new Promise((turn) => setImmediate(turn));
    },
  };
  const chain = await auditChain(session, listener, options.against);
  const documents = await auditDocuments(session, listener);
  await auditNumbers(session, listener);
  return { object: "audit", intact: found === 0, ...chain, documents, problems, problems_found: found };
}
