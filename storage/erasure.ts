/** Finds documents and merchants with a tax number. Documents have no index for it, so their inputs are read in portions. */
import { sql } from "kysely";
import type { Session } from "./session.ts";

/** The ids of documents above `after`, oldest first. */
export async function findInputIds(
  session: Session,
  portion: { after: string; limit: number },
): Promise<string[]> {
  const rows = await session.query((db) =>
    db
      .selectFrom("document_inputs")
      .select("document_id")
      .where("document_id", ">", portion.after)
      .orderBy("document_id")
      .limit(portion.limit),
  );
  return rows.map(({ document_id }) => document_id);
}

/** Documents above `after`, through `through`, with a party that has one of `codes`, which are normalised tax numbers. */
export async function findDocumentIdsByTaxIds(
  session: Session,
  range: { after: string; through: string; codes: readonly string[] },
): Promise<string[]> {
  const rows = await session.query((db) =>
    db
      .selectFrom("document_inputs")
      .select("document_id")
      .where("document_id", ">", range.after)
      .where("document_id", "<=", range.through)
      .where((eb) =>
        eb.or(range.codes.map((code) => eb(sql<string>`input_json`, "like", `%"code":"${code}"%`))),
      ),
  );
  return rows.map(({ document_id }) => document_id);
}

export async function findMerchantIdsByTaxIds(session: Session, codes: readonly string[]): Promise<string[]> {
  const rows = await session.query((db) =>
    db.selectFrom("merchants").select("id").where("tax_id", "in", codes),
  );
  return rows.map(({ id }) => id);
}
