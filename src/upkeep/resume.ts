/** Resumes a restored appliance, which polls providers before it sends (docs/backup.md). */
import {
  activateAppliance,
  countWaitingDeliveries,
  countWaitingDocuments,
  findHold,
} from "../../storage/upkeep/held.ts";
import type { RowOf } from "../../storage/database/queries.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { requirePollsAfterRestore } from "../numbering/poll-after-restore.ts";

export interface Resumption {
  object: "resumption";
  /** Whether the appliance is held now. */
  held: boolean;
  /** When the backup was made; null if unknown. */
  backup_at: string | null;
  /** Pending documents, by what happens to them next. */
  documents: (Omit<RowOf<typeof countWaitingDocuments>, "phase"> & {
    stage: string;
    next: "sent" | "asked_about";
  })[];
  deliveries: { mode: Mode; deliveries: number }[];
}

/** Counts what a resumed appliance will send or poll. */
export async function describeResumption({ store }: Context): Promise<Resumption> {
  return store.snapshot(async (session) => {
    const { isHeld, backupAt } = await findHold(session);
    const documents = await countWaitingDocuments(session);
    return {
      object: "resumption",
      held: isHeld,
      backup_at: backupAt,
      documents: documents.map(({ mode, provider, phase: stage, documents: count }) => ({
        mode,
        provider,
        stage,
        documents: count,
        next: provider === "sandbox" && stage === "queued" ? "sent" : "asked_about",
      })),
      deliveries: await countWaitingDeliveries(session),
    };
  });
}

/** Returns false, and changes nothing, if the appliance was not held. */
export async function resume(context: Context): Promise<boolean> {
  const isResumed = await context.store.write(async (trx) => {
    if (!(await activateAppliance(trx))) return false;
    await requirePollsAfterRestore(trx);
    return true;
  });
  if (isResumed) context.pokeIssuing();
  return isResumed;
}
