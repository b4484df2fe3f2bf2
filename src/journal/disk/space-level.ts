/** The interface to the free disk space; disk-space.ts implements it. */
import type { AppError } from "../../foundation/errors.ts";

/** `short`: no documents are accepted. `full`: nothing is sent either. Below `ample`, the request log is skipped. */
export type SpaceLevel = "ample" | "short" | "full";

export interface Space {
  /** Measured at most once a second. Also `full` if the database file is missing. */
  level(): SpaceLevel;
  /** Throws `service_unavailable` if there is no space for a new document. */
  requireRoom(): void;
  /** Throws StorageError if the database is no longer the file that was opened, because writes would be lost. */
  requirePlace(): void;
  /** The `service_unavailable` for a write that failed because of the disk or the database; undefined for other errors. */
  explain(error: unknown): AppError | undefined;
  /** Reports a successful write, which ends an earlier failure. */
  wrote(): void;
  /** Counts a row that was left out of the request log. */
  leftOut(): void;
}
