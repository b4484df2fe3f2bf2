/** Reading a database without changing or migrating it, and without its key. Each engine opens one in its own way. */
import type { Session } from "./session.ts";

export interface Inspection {
  /** Sees one state of the database from the first read on. Reading a damaged part throws (`isStorageFailure`). */
  readonly session: Session;
  /** The schema version of the database; 0 if it has no schema of ours. */
  version(): number;
  /** Whether an unreleased version of fiscal made the schema, so that `version` means nothing here. */
  isUnreleased(): boolean;
  close(): void;
}
