/**
 * The state of the appliance: the hold after a restore, what must be queried once it ends (docs/contract.md#held-appliance), its clock,
 * and how far recurring jobs have got, each under its own name.
 */
import { sql } from "kysely";
import type { Provider } from "../stored-values.ts";
import { COUNTER, type CounterKey } from "../documents/series.ts";
import type { Session } from "../database/session.ts";
import {
  allRows,
  changeRows,
  changesRow,
  deleteRow,
  firstRow,
  firstValue,
  hasRow,
  hasValues,
  updateRow,
  upsertRow,
} from "../database/queries.ts";
import type { Row } from "../database/schema.ts";
import type { Transaction } from "../database/write.ts";

export type ApplianceRow = Row<"appliance">;

/** The row about the whole database; undefined before the first start has written it. */
export const findAppliance = firstRow()((db) => db.selectFrom("appliance").selectAll().where("id", "=", 1));

/** The same, of a database that has been started. */
export async function getAppliance(session: Session): Promise<ApplianceRow> {
  const row = await findAppliance(session);
  if (row === undefined) throw new Error("The database has no appliance row");
  return row;
}

const activate = changesRow<{ now: string }>()((db, p) =>
  db
    .updateTable("appliance")
    .set({ state: "active", resumed_at: p.now })
    .where("id", "=", sql.lit(1))
    .where("state", "=", "held"),
);

/** Ends the hold. Returns false if there was none. */
export function activateAppliance(trx: Transaction): Promise<boolean> {
  return activate(trx, { now: trx.now });
}

export const hold = changeRows<{ backupAt: string }>()((db, p) =>
  db.updateTable("appliance").set({ state: "held", backup_at: p.backupAt }).where("id", "=", sql.lit(1)),
);

const markDocuments = changeRows()((db) =>
  db
    .updateTable("documents")
    .set({ asking: sql.lit("first" as const) })
    .where("status", "in", ["pending", "failed"])
    // The ledger of the sandbox is in the database, so it was restored as well.
    .where("provider", "<>", "sandbox"),
);
const markCounters = changeRows<{ asks: number }>()((db, p) =>
  db.updateTable("series").set({ asks_left: p.asks }),
);

/** Counts a try, because another appliance may have cancelled them. Later tries check for that first. */
const markSurplus = changeRows()((db) =>
  db.updateTable("surplus_marks").set({ tries: 1 }).where("tries", "=", 0).where("due_at", "is not", null),
);

/**
 * Marks all documents that may still be sent, so that the provider is queried about them first. The same holds for the next
 * numbers of each counter, until `asks` numbers in a row were found unused.
 */
export async function markForQueries(trx: Transaction, asks: number): Promise<void> {
  await markDocuments(trx);
  await markCounters(trx, { asks });
  await markSurplus(trx);
}

/** Moves a claimed document to `reconciling`, so that the provider is queried before it is sent. */
export const queryBeforeSend = changeRows<{ id: string; now: string; due: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set((eb) => ({
      phase: "reconciling" as const,
      asking: "first" as const,
      // Nothing was sent, so it does not count as an attempt.
      attempts: eb("attempts", "-", 1),
      polls: 0,
      absences: 0,
      stage_since: p.now,
      next_at: p.due,
      lease_owner: null,
      lease_until: null,
    }))
    .where("id", "=", p.id)
    .where("phase", "=", "submitting"),
);

/** Whether the provider is being queried about a number of the counter that this appliance never sent. */
export const isCounterBeingQueried = hasRow<CounterKey & { provider: Provider }>()((db, p) =>
  db
    .selectFrom("documents")
    .select("id")
    .where("provider", "=", p.provider)
    .where("phase", "=", "reconciling")
    .where("asking", "=", "first")
    .where(hasValues(p, COUNTER))
    .where("attempts", "=", sql.lit(0))
    .limit(sql.lit(1)),
);

export const setQueriesLeft = updateRow("series", ["id"], ["asks_left"]);

/** Pending documents, which continue when the hold ends. */
export const countWaitingDocuments = allRows()((db) =>
  db
    .selectFrom("documents")
    .select(["mode", "provider", "phase", sql<number>`count(*)`.as("documents")])
    .where("status", "=", "pending")
    .groupBy(["mode", "provider", "phase"])
    .orderBy("mode")
    .orderBy("provider")
    .orderBy("phase"),
);

export const countPendingDeliveries = allRows()((db) =>
  db
    .selectFrom("deliveries")
    .innerJoin("webhook_endpoints", "webhook_endpoints.id", "deliveries.endpoint_id")
    .select(["webhook_endpoints.mode", sql<number>`count(*)`.as("deliveries")])
    .where("deliveries.status", "=", "pending")
    .groupBy("webhook_endpoints.mode")
    .orderBy("webhook_endpoints.mode"),
);

const setClock = updateRow("appliance", ["id"], ["clock_at"]);

/** Starts again from the clock's present time, because what it had put off is due. */
export async function restartClock(trx: Transaction): Promise<void> {
  await setClock(trx, { id: 1, clock_at: new Date(trx.clockMs).toISOString() });
}

/** The point up to which job `name` has finished; undefined before its first run. */
export const findWatermark = firstValue<{ name: string }>()((db, p) =>
  db.selectFrom("watermarks").select("through").where("name", "=", p.name),
);

/** The points of the jobs whose names begin with `prefix`, by the rest of the name. */
export async function findWatermarks(session: Session, prefix: string): Promise<ReadonlyMap<string, string>> {
  const rows = await session.query((db) =>
    db
      .selectFrom("watermarks")
      .selectAll()
      .where("name", ">=", prefix)
      // Higher than all text that begins with the prefix, because no text contains U+FFFF.
      .where("name", "<", `${prefix}\uffff`),
  );
  return new Map(rows.map(({ name, through }) => [name.slice(prefix.length), through]));
}

export const upsertWatermark = upsertRow("watermarks", ["name"]);

export const deleteWatermark = deleteRow("watermarks", ["name"]);
