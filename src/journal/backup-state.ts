/** Stores when scheduled backups began, succeeded and failed, in the database, where all servers and doctor see it. */
import { findWatermark, upsertWatermark } from "../../storage/database/watermarks.ts";
import type { Session } from "../../storage/database/session.ts";
import type { Transaction } from "../../storage/database/write.ts";

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
