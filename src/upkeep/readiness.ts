/** Checks whether documents can be accepted now, for `/readyz` (docs/contract.md#paths-outside-the-api). */
import {
  isOutOfSpace,
  MasterKeyError,
  MissingDatabaseError,
  NewerSchemaError,
} from "../../storage/database/errors.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { AppError } from "../foundation/errors.ts";
import { isHeld } from "../journal/held.ts";

export type Readiness = Awaited<ReturnType<typeof checkReadiness>>;

/**
 * Schema and key were correct when the database was opened. Since then a newer program may have migrated it, or a rotation may
 * have replaced the key with one that this process cannot find.
 */
export async function checkReadiness({ store, space, log }: Pick<Context, "store" | "space" | "log">) {
  let isActive = true;
  let failure: unknown;
  try {
    isActive = !(await isHeld(store.read));
    await store.probe();
  } catch (error) {
    // The store explains its failed writes. A read fails only if the file cannot be reached.
    failure = error instanceof AppError ? error : (space.explain(error) ?? error);
  }
  const isKeyLost = failure instanceof MasterKeyError;
  const cause = failure instanceof AppError ? failure.cause : undefined;
  const isOutdated = cause instanceof NewerSchemaError;
  if (failure !== undefined && !isReportedAlready(failure))
    log.error({ error: String(failure) }, "the database cannot be written");
  const checks: Record<string, boolean> = {
    /** It can be written. */
    database: failure === undefined || isKeyLost || isOutdated,
    /** It has this program's schema. */
    migrated: !isOutdated,
    /** This process has the current key. */
    master_key: !isKeyLost,
    /** The appliance is not held after a restore. */
    active: isActive,
    // Free space is measured once a second, and a write may have failed since. It is unknown if the file is gone.
    space: cause instanceof MissingDatabaseError || (space.level() === "ample" && !isOutOfSpace(cause)),
  };
  return { ready: Object.values(checks).every(Boolean), checks };
}
