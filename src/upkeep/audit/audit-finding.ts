/** What an audit finds wrong. */
export interface AuditProblem {
  /** What was checked. */
  check: "journal" | "documents" | "numbers";
  /** The row that does not hold: of an event, a note or a document; null where it is no row. */
  id: string | null;
  /** What does not match, a sentence. No personal data, no amounts. */
  message: string;
}

/** A link of the chain, as it is written down elsewhere: `evt_…:` and 64 hexadecimal digits. */
export interface NotedLink {
  id: string;
  hash: string;
}

/** Told of each problem as it is found, and of the rows that were gone through. */
export interface AuditListener {
  problem(problem: AuditProblem): void;
  row(): void | Promise<void>;
}
