/** What the product asks about the room on the disk; `space.ts` answers. */
import type { AppError } from "../../foundation/errors.ts";

/** `short`: nothing new is accepted. `full`: nothing new is sent either, and nothing is logged that can be left out. */
export type SpaceLevel = "ample" | "short" | "full";

export interface Space {
  /** Looked up again once a second at most. `full` also where the database is not at its place. */
  level(): SpaceLevel;
  /** Throws `service_unavailable` where there is no room for a new document. */
  requireRoom(): void;
  /** Throws StorageError where the database is no longer the file that was opened: what is written would be lost. */
  requirePlace(): void;
  /** The `service_unavailable` of what failed for want of space or the like; undefined for other errors. */
  explain(error: unknown): AppError | undefined;
  /** Something was written: what failed before fails no more. */
  wrote(): void;
  /** One row of a log was left out. */
  leftOut(): void;
}
