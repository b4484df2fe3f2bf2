/** Finding what is about a tax number. No index knows it: the documents' inputs are read in portions. */
import { sql } from "kysely";
import type { Session } from "./session.ts";

/** The ids of the oldest inputs above `after`. */
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

/** Documents of the range, the end included, one of whose parties has one of the numbers: normalised letters and digits. */
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
