/** How far recurring jobs have got, each under its own name. */
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

const selectWatermark = statement<{ name: string }>()((db, p) =>
  db.selectFrom("watermarks").select("through").where("name", "=", p.name),
);

const upsertRow = statement<{ name: string; through: string }>()((db, p) =>
  db
    .insertInto("watermarks")
    .values({ name: p.name, through: p.through })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ through: p.through })),
);

/** The point up to which job `name` has finished; undefined before its first run. */
export async function findWatermark(session: Session, name: string): Promise<string | undefined> {
  return (await session.first(selectWatermark, { name }))?.through;
}

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

export async function upsertWatermark(trx: Transaction, name: string, through: string): Promise<void> {
  await trx.run(upsertRow, { name, through });
}

const deleteRow = statement<{ name: string }>()((db, p) =>
  db.deleteFrom("watermarks").where("name", "=", p.name),
);

/** Deletes the watermark of a job that is done or starts again. */
export async function deleteWatermark(trx: Transaction, name: string): Promise<void> {
  await trx.run(deleteRow, { name });
}
