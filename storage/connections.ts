/** Connections: which provider a merchant's documents can be routed to, and with which sealed credentials. */
import { type Insertable, type Selectable, sql } from "kysely";
import type { ConnectionTable } from "./schema.ts";
import type { ConnectionStatus, Mode, Provider } from "./stored-values.ts";
import { fetchPage, sortById, type PageRequest, type RowPage, applySlice } from "./lists.ts";
import type { Session } from "./session.ts";
import { rowStatement, statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

export type ConnectionRow = Selectable<ConnectionTable>;

const selectById = statement<{ id: string }>()((db, p) =>
  db.selectFrom("connections").selectAll().where("id", "=", p.id),
);
const selectActive = statement<{ merchantId: string; mode: Mode }>()((db, p) =>
  db
    .selectFrom("connections")
    .selectAll()
    .where("merchant_id", "=", p.merchantId)
    .where("mode", "=", p.mode)
    // As a parameter, SQLite would compare it with the condition of an index, and compile the statement anew at every call.
    .where("status", "=", sql.lit("active")),
);
const selectInUse = statement<{ merchantId: string; provider: Provider; mode: Mode }>()((db, p) =>
  db
    .selectFrom("connections")
    .selectAll()
    .where("merchant_id", "=", p.merchantId)
    .where("provider", "=", p.provider)
    .where("mode", "=", p.mode)
    .where("status", "<>", "disconnected"),
);
const insertRow = rowStatement<Insertable<ConnectionTable>>()((db, row) =>
  db.insertInto("connections").values(row).returningAll(),
);
/** What changes in a connection: never its merchant, provider, mode or credentials. */
export type ConnectionChange = Pick<
  ConnectionRow,
  "id" | "status" | "verified_at" | "last_error_json" | "last_error_at" | "disconnected_at"
> & { from: ConnectionStatus };

const changeRow = statement<ConnectionChange>()((db, p) =>
  db
    .updateTable("connections")
    .set({
      status: p.status,
      verified_at: p.verified_at,
      last_error_json: p.last_error_json,
      last_error_at: p.last_error_at,
      disconnected_at: p.disconnected_at,
    })
    .where("id", "=", p.id)
    .where("status", "=", p.from),
);

export function findConnectionRow(session: Session, id: string): Promise<ConnectionRow | undefined> {
  return session.first(selectById, { id });
}

/** The connections of a merchant in a mode that documents can be routed to. */
export async function findActiveConnections(
  session: Session,
  merchantId: string,
  mode: Mode,
): Promise<ConnectionRow[]> {
  // Sorted here: an ORDER BY costs SQLite 10 µs, ten times the rest of this, on the way of every document.
  return sortById(await session.all(selectActive, { merchantId, mode }));
}

/** The merchant's connection to the provider that is not disconnected: there is one at the most. */
export function findConnectionInUse(
  session: Session,
  by: { merchantId: string; provider: Provider; mode: Mode },
): Promise<ConnectionRow | undefined> {
  return session.first(selectInUse, by);
}

export type NewConnectionRow = Insertable<ConnectionTable>;

/** Inserts a connection and returns its row; the columns left out are null. */
export async function insertConnection(trx: Transaction, row: NewConnectionRow): Promise<ConnectionRow> {
  return (await trx.first(insertRow, row))!;
}

/** False when it does not stand in `from` any more. */
export async function changeConnection(trx: Transaction, change: ConnectionChange): Promise<boolean> {
  return (await trx.run(changeRow, change)) === 1;
}

/** Connections of a mode, of one merchant or of all. Undefined when the cursor is not in the list. */
export function listConnectionRows(
  session: Session,
  filters: { mode: Mode; merchantId: string | undefined },
  page: PageRequest,
): Promise<RowPage<ConnectionRow> | undefined> {
  return fetchPage(page, (slice) =>
    session.query((db) => {
      let query = db.selectFrom("connections").selectAll().where("mode", "=", filters.mode);
      if (filters.merchantId !== undefined) query = query.where("merchant_id", "=", filters.merchantId);
      return applySlice(query, slice);
    }),
  );
}

/** Every connection that the merchant ever had, in both modes. */
export function listConnectionsOfMerchant(session: Session, merchantId: string): Promise<ConnectionRow[]> {
  return session.query((db) =>
    db.selectFrom("connections").selectAll().where("merchant_id", "=", merchantId),
  );
}

const forgetRows = statement<{ before: string }>()((db, p) =>
  db
    .updateTable("connections")
    .set({ credentials: null })
    .where("status", "=", "disconnected")
    .where("credentials", "is not", null)
    .where("disconnected_at", "<", p.before),
);

/** Deletes the credentials of connections that were disconnected before the instant; answers of how many. */
export async function deleteOldCredentials(trx: Transaction, before: string): Promise<number> {
  return trx.run(forgetRows, { before });
}
