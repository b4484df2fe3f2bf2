/** What issued documents add to the books (`DocumentTable.shares_json`), read by issue date. */
import { sql } from "kysely";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";
import type { Mode } from "../stored-values.ts";
import type { DocumentRow } from "./documents.ts";

export interface SharesRow extends Pick<DocumentRow, "id" | "issue_date" | "merchant_id" | "shares_json"> {
  /** Any text, the same for the same customer; null without one. */
  customer: string | null;
}

/** Issued documents that are not cancelled, up to `through`, after one of them in the order of issue date and id. */
export function findSharesPage(
  session: Session,
  { mode, through, merchantId }: { mode: Mode; through: string; merchantId?: string | undefined },
  { after, limit }: { after: Pick<SharesRow, "issue_date" | "id">; limit: number },
): Promise<SharesRow[]> {
  return session.query((db) => {
    const query = db
      .selectFrom("documents")
      .select(["id", "issue_date", "merchant_id", "shares_json"])
      .select(sql<string | null>`customer_country || customer_hash`.as("customer"))
      .where("mode", "=", mode)
      .where((eb) => eb(eb.refTuple("issue_date", "id"), ">", eb.tuple(after.issue_date, after.id)))
      .where("issue_date", "<=", through)
      .where("status", "=", sql.lit("issued"))
      .where("cancelled_at", "is", null)
      .orderBy("issue_date")
      .orderBy("id")
      .limit(limit);
    return merchantId === undefined ? query : query.where("merchant_id", "=", merchantId);
  });
}

const selectWithout = statement<{ after: string; limit: number }>()((db, p) =>
  db
    .selectFrom("documents")
    .select(["id", "mode", "merchant_id"])
    .where("shares_json", "is", null)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.limit),
);

/** Documents with ids above `after` that an earlier version accepted, which stored no shares. */
export function findWithoutShares(
  session: Session,
  portion: { after: string; limit: number },
): Promise<Pick<DocumentRow, "id" | "mode" | "merchant_id">[]> {
  return session.all(selectWithout, portion);
}

const updateShares = statement<{ id: string; shares: string }>()((db, p) =>
  db.updateTable("documents").set({ shares_json: p.shares }).where("id", "=", p.id),
);

export async function setShares(trx: Transaction, id: string, shares: string): Promise<void> {
  await trx.run(updateShares, { id, shares });
}
