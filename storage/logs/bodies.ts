/** Encrypted bodies of provider calls and API requests, in their own table. */
import type { Selectable } from "kysely";
import type { BodyTable } from "../database/schema.ts";
import { changeRows, firstRow } from "../database/queries.ts";

export type BodyRow = Selectable<BodyTable>;

export const findBody = firstRow<{ id: string }>()((db, p) =>
  db.selectFrom("bodies").selectAll().where("id", "=", p.id),
);

export const replaceBody = changeRows<{ id: string; sealed: Uint8Array }>()((db, p) =>
  db.updateTable("bodies").set({ sealed: p.sealed }).where("id", "=", p.id),
);

export const deleteBody = changeRows<{ id: string }>()((db, p) =>
  db.deleteFrom("bodies").where("id", "=", p.id),
);
