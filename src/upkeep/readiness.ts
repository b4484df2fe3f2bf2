/** Whether documents can be taken now: what `/readyz` answers (decisions 1). */
import {
  isOutOfSpace,
  MasterKeyError,
  MissingDatabaseError,
  NewerSchemaError,
} from "../../storage/errors.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { AppError } from "../foundation/errors.ts";
import { isHeld } from "../journal/held.ts";

export interface Readiness {
  ready: boolean;
  /**
   * `database` can be written, `migrated` to this version, `master_key` is the one that seals, `active` and not held after a
   * restore, `space` on the disk.
   */
  checks: Record<string, boolean>;
}

/**
 * Migrated and with its key it was at the opening, or that had failed; a newer program may have brought the schema up since, and
 * the key may have been replaced by one that this process cannot find.
 */
export async function checkReadiness({
  store,
  space,
  log,
}: Pick<Context, "store" | "space" | "log">): Promise<Readiness> {
  let isActive = true;
  let failure: unknown;
  try {
    isActive = !(await isHeld(store.read));
    await store.probe();
  } catch (error) {
    // The store explains what fails of its writes; a read fails only where the file itself is out of reach.
    failure = error instanceof AppError ? error : (space.explain(error) ?? error);
  }
  const isKeyLost = failure instanceof MasterKeyError;
  const isOutdated = failure instanceof NewerSchemaError;
  const cause = failure instanceof AppError ? failure.cause : undefined;
  if (failure !== undefined && !isReportedAlready(failure))
    log.error({ error: String(failure) }, "the database cannot be written");
  const checks = {
    database: failure === undefined || isKeyLost || isOutdated,
    migrated: !isOutdated,
    master_key: !isKeyLost,
    active: isActive,
    // The room is looked up once a second; a write may have met its end since. Of a file that was taken away nothing is known.
    space: cause instanceof MissingDatabaseError || (space.level() === "ample" && !isOutOfSpace(cause)),
  };
  return { ready: Object.values(checks).every(Boolean), checks };
}
