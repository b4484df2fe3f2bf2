/** How far recurring jobs have got, each under its own name. */
import { changeRows, firstValue, upsertRow } from "./queries.ts";
import type { WatermarkTable } from "./schema.ts";
import type { Session } from "./session.ts";

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

export const upsertWatermark = upsertRow<WatermarkTable>("watermarks", ["name"]);

/** Deletes the watermark of a job that is done or starts again. */
export const deleteWatermark = changeRows<{ name: string }>()((db, p) =>
  db.deleteFrom("watermarks").where("name", "=", p.name),
);
