/**
 * Moves an appliance to a database in PostgreSQL (docs/contract.md#moving-to-another-database), which leaves both held, and resumes one that
 * is held after that or after a restore: it polls providers before it sends (docs/backup.md).
 */
import {
  activateAppliance,
  countPendingDeliveries,
  countWaitingDocuments,
  getAppliance,
} from "../../storage/upkeep/appliance-state.ts";
import type { RowOf } from "../../storage/database/queries.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { requirePollsAfterRestore } from "../numbering/poll-after-restore.ts";
import { type CopiedTable, type CopyOrder, copyTables } from "../../storage/postgres/copy-tables.ts";
import { AppError } from "../foundation/errors.ts";
import { findServers } from "./servers.ts";

export interface Resumption {
  object: "resumption";
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

export async function describeResumption({ store }: Context): Promise<Resumption> {
  return store.snapshot(async (session) => {
    const { state, backup_at } = await getAppliance(session);
    const documents = await countWaitingDocuments(session);
    return {
      object: "resumption",
      held: state === "held",
      backup_at,
      documents: documents.map(({ mode, provider, phase: stage, documents: count }) => ({
        mode,
        provider,
        stage,
        documents: count,
        next: provider === "sandbox" && stage === "queued" ? "sent" : "asked_about",
      })),
      deliveries: await countPendingDeliveries(session),
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

/**
 * Copies everything, compares the copy, and leaves both held. Throws `invalid_state` if a server runs on the database. After
 * an error the database file is as it was, and nothing is in the other one. If the process is killed, or the connection is lost at
 * the very end, the file may be held and the copy may be complete.
 */
export async function moveDatabase(order: CopyOrder): Promise<CopiedTable[]> {
  if (findServers(order.database).length > 0)
    throw new AppError("invalid_state", {
      en: "A server runs on this database; stop it before you move it",
      el: "Ένας διακομιστής τρέχει σε αυτή τη βάση· σταματήστε τον πριν από τη μεταφορά",
    });
  return copyTables(order);
}
