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
import type { Context } from "../journal/context.ts";
import { requirePollsAfterRestore } from "../numbering/poll-after-restore.ts";
import { type CopiedTable, type CopyOrder, copyTables } from "../../storage/postgres/copy-tables.ts";
import { AppError } from "../foundation/errors.ts";
import { findServers } from "./servers.ts";

export type Resumption = Awaited<ReturnType<typeof describeResumption>>;

export async function describeResumption({ store }: Context) {
  return store.snapshot(async (session) => {
    const { state, backup_at } = await getAppliance(session);
    const documents = await countWaitingDocuments(session);
    return {
      object: "resumption" as const,
      held: state === "held",
      /** When the backup was made; null if unknown. */
      backup_at,
      /** Pending documents, by what happens to them next. */
      documents: documents.map(({ mode, provider, phase: stage, documents: count }) => {
        const isSent = provider === "sandbox" && stage === "queued";
        const next = isSent ? ("sent" as const) : ("asked_about" as const);
        return { mode, provider, stage, documents: count, next };
      }),
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
