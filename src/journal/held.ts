/**
 * The state of the appliance in its database, where all servers and doctor see it: when scheduled backups began, succeeded and
 * failed, and whether it is held. Refuses work while it is (docs/contract.md#held-appliance). Another one with the same data may be running, or
 * may have sent what is unknown here, so this one sends nothing, which would register twice, and accepts no documents, which would
 * get the same numbers.
 */
import { findAppliance, findWatermark, upsertWatermark } from "../../storage/upkeep/appliance-state.ts";
import type { Session } from "../../storage/database/session.ts";
import { AppError } from "../foundation/errors.ts";
import { joinTexts, type Text } from "../foundation/text.ts";
import type { Transaction } from "../../storage/database/write.ts";

export async function isHeld(read: Session): Promise<boolean> {
  return (await findAppliance(read))?.state === "held";
}

/** Also the reason that `/readyz` shows. */
export const HELD_REASON: Text = {
  en: "The appliance is on hold after a restore, a move or lost writes: it only reads, and sends nothing until it is resumed",
  el: "Το σύστημα είναι σε αναμονή μετά από επαναφορά, μεταφορά ή απώλεια εγγραφών: μόνο διαβάζει, και δεν στέλνει τίποτα μέχρι να τερματιστεί η αναμονή",
  next: { operation: "resume" },
};

/** Throws `service_unavailable` while the appliance is held. `refusal` says what was not done. */
export async function refuseWhileHeld(read: Session, refusal: Text): Promise<void> {
  if (await isHeld(read)) throw heldError(refusal);
}

export function heldError(refusal: Text): AppError {
  return new AppError("service_unavailable", joinTexts([refusal, HELD_REASON], ". "));
}

/** Each is a UTC instant; undefined if it never happened. */
export interface BackupState {
  /** When the schedule was first seen. Backups are due from then on. */
  since?: string | undefined;
  begun?: string | undefined;
  done?: string | undefined;
  failed?: string | undefined;
}

const NAMES = ["since", "begun", "done", "failed"] as const;

export async function readBackupState(session: Session): Promise<BackupState> {
  const state: BackupState = {};
  for (const name of NAMES) state[name] = await findWatermark(session, { name: `backup ${name}` });
  return state;
}

export async function noteBackup(
  trx: Transaction,
  name: (typeof NAMES)[number],
  instant: string,
): Promise<void> {
  await upsertWatermark(trx, { name: `backup ${name}`, through: instant });
}
