/** Audits everything that must never change: the journal's chain, the documents and their numbers. Only reads. */
import { countAuditedRows } from "../../../storage/audit.ts";
import type { Session } from "../../../storage/session.ts";
import { auditChain, type ChainReport } from "./event-chain-check.ts";
import { auditDocuments, auditNumbers } from "./document-check.ts";
import type { AuditListener, AuditProblem, NotedLink } from "./audit-finding.ts";

export interface Audit extends ChainReport {
  object: "audit";
  intact: boolean;
  documents: number;
  /** The first problems, in the order in which they were found. */
  problems: AuditProblem[];
  /** The number of all problems. */
  problems_found: number;
}

export interface AuditOptions {
  /** A link that was noted elsewhere, and must still be in the journal. */
  against?: NotedLink | undefined;
  onProgress?(done: number, total: number): void;
}

/** Nobody reads more; `problems_found` counts them all. */
const PROBLEMS_KEPT_MAX = 100;
/** Rows after which other work of the process has its turn. */
const ROWS_A_TURN = 500;

/** The session must see one consistent state. Memory does not grow with the number of rows. */
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
