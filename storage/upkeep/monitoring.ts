/** Counts waiting documents and deliveries for metrics, and stores the problems that were reported by mail and have not ended. */
import { sql, type Selectable } from "kysely";
import type { DocumentStage, Mode } from "../stored-values.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import { allRows, changeRows } from "../database/queries.ts";
import type { AlertTable } from "../database/schema.ts";

/** Counting stops here: an exact number above it is of no use. */
const COUNTED_MAX = 10_000;

const selectPending = statement<{ mode: Mode }>()((db, p) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom("documents")
        .select(["phase", "created_at"])
        .where("mode", "=", p.mode)
        .where("status", "=", "pending")
        .orderBy("id")
        .limit(sql.lit(COUNTED_MAX))
        .as("pending"),
    )
    .select((eb) => ["phase", eb.fn.countAll<number>().as("documents"), eb.fn.min("created_at").as("oldest")])
    .groupBy("phase"),
);

/** The pending documents of the mode by stage, and when the oldest of each was accepted. */
export async function countPendingDocuments(
  session: Session,
  mode: Mode,
): Promise<{ stage: DocumentStage; documents: number; oldest: string }[]> {
  const rows = await session.all(selectPending, { mode });
  return rows.map(({ phase, documents, oldest }) => ({
    stage: phase as DocumentStage,
    documents,
    oldest: String(oldest),
  }));
}

const selectWaiting = statement<object>()((db) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom("deliveries")
        .select("due_at")
        .where("due_at", "is not", null)
        .where("lease_owner", "is", null)
        .limit(sql.lit(COUNTED_MAX))
        .as("waiting"),
    )
    .select((eb) => [eb.fn.countAll<number>().as("deliveries"), eb.fn.min("due_at").as("earliest")]),
);

/** The number of deliveries waiting for an attempt, and when the first is due; null if none waits. */
export async function countWaitingDeliveries(
  session: Session,
): Promise<{ deliveries: number; earliest: string | null }> {
  const row = await session.first(selectWaiting, {});
  return row === undefined ? { deliveries: 0, earliest: null } : { ...row, earliest: row.earliest ?? null };
}

export type AlertRow = Selectable<AlertTable>;

export const findAlerts = allRows()((db) => db.selectFrom("alerts").selectAll().orderBy("id"));

export const deleteAlert = changeRows<{ id: string }>()((db, p) =>
  db.deleteFrom("alerts").where("id", "=", p.id),
);
