/** What the product asks about the room on the disk; `space.ts` answers. */
import type { AppError } from "../errors.ts";

/** `short`: nothing new is accepted. `full`: nothing new is sent either, and nothing is logged that can be left out. */
export type SpaceLevel = "ample" | "short" | "full";

export interface Space {
  /** Looked up again once a second at most. */
  level(): SpaceLevel;
  /** Throws `service_unavailable` where there is no room for a new document. */
  requireRoom(): void;
  /** The `service_unavailable` of a write that failed for want of space or the like; undefined for other errors. */
  explain(error: unknown): AppError | undefined;
  /** Something was written: what failed before fails no more. */
  wrote(): void;
  /** One row of a log was left out. */
  leftOut(): void;
}
