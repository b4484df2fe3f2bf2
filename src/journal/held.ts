/**
 * A restored appliance is held (decisions 15): it reads, and sends nothing, because the one that the backup was taken of may
 * still be at work, and what both send stands twice at the authority. It takes no documents either: their numbers would be
 * those that the other one gives, and whoever asks would believe that they are on their way.
 */
import { findHold } from "../../storage/held.ts";
import type { Session } from "../../storage/session.ts";
import { AppError } from "../foundation/errors.ts";

export async function isHeld(read: Session): Promise<boolean> {
  return (await findHold(read)).isHeld;
}

/** What `/readyz` says, too. */
export const HELD_REASON =
  "The appliance was restored from a backup and is held: it reads, and sends nothing until `fiscal resume`";

/** Throws `service_unavailable` while the appliance is held; `what` was not done. */
export async function refuseWhileHeld(read: Session, what: string): Promise<void> {
  if (await isHeld(read)) throw heldError(what);
}

export function heldError(what: string): AppError {
  return new AppError("service_unavailable", `${what}. ${HELD_REASON}`);
}
