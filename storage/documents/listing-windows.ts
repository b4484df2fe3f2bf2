/** Stores what was read of a provider's lists, so that an interrupted comparison does not ask for it again. */
import type { Insertable, Selectable } from "kysely";
import type { ListingWindowTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

type ListingWindowRow = Selectable<ListingWindowTable>;

const insertRow = statement<Insertable<ListingWindowTable>>()((db, p) =>
  db
    .insertInto("listing_windows")
    .values({ name: p.name, content_json: p.content_json, read_at: p.read_at })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({ content_json: p.content_json, read_at: p.read_at }),
    ),
);

const selectRow = statement<{ name: string; since: string }>()((db, p) =>
  db
    .selectFrom("listing_windows")
    .select(["content_json", "read_at"])
    .where("name", "=", p.name)
    .where("read_at", ">=", p.since),
);

const deleteRow = statement<{ name: string }>()((db, p) =>
  db.deleteFrom("listing_windows").where("name", "=", p.name),
);

const deleteOld = statement<{ before: string }>()((db, p) =>
  db.deleteFrom("listing_windows").where("read_at", "<", p.before),
);

export async function storeListingWindow(
  trx: Transaction,
  window: { name: string; contentJson: string; readAt: string },
): Promise<void> {
  const { name, contentJson, readAt } = window;
  await trx.run(insertRow, { name, content_json: contentJson, read_at: readAt });
}

/** The window, if it was read at `since` or later. */
export function findListingWindow(
  session: Session,
  by: { name: string; since: string },
): Promise<Pick<ListingWindowRow, "content_json" | "read_at"> | undefined> {
  return session.first(selectRow, by);
}

export async function deleteListingWindow(trx: Transaction, name: string): Promise<void> {
  await trx.run(deleteRow, { name });
}

/** Returns how many windows were deleted. */
export function deleteListingWindowsBefore(trx: Transaction, before: string): Promise<number> {
  return trx.run(deleteOld, { before });
}

const selectAfter = statement<{ after: string; limit: number }>()((db, p) =>
  db
    .selectFrom("listing_windows")
    .select(["name", "content_json"])
    .where("name", ">", p.after)
    .orderBy("name")
    .limit(p.limit),
);

/** Windows with names above `after`, in that order. */
export function findListingWindowsAfter(
  session: Session,
  after: string,
  limit: number,
): Promise<Pick<ListingWindowRow, "name" | "content_json">[]> {
  return session.all(selectAfter, { after, limit });
}
