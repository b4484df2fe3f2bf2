/** Finds the suppliers for which a connection has issued documents. */
import { sql } from "kysely";
import type { Mode } from "../stored-values.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";

const selectSuppliers = statement<{ merchantId: string; mode: Mode; connectionId: string; limit: number }>()(
  (db, p) =>
    db
      .selectFrom((newest) =>
        newest
          .selectFrom("documents")
          .select(["supplier", "connection_id", "phase"])
          .where("merchant_id", "=", p.merchantId)
          .where("mode", "=", p.mode)
          .orderBy("id", "desc")
          .limit(p.limit)
          .as("newest"),
      )
      .select("newest.supplier")
      .distinct()
      .where("newest.connection_id", "=", p.connectionId)
      .where("newest.phase", "=", sql.lit("issued")),
);

/** The suppliers for which the connection has issued, among the merchant's `limit` newest documents. */
export async function findIssuedSuppliers(
  session: Session,
  about: { merchantId: string; mode: Mode; connectionId: string; limit: number },
): Promise<string[]> {
  return (await session.all(selectSuppliers, about)).map(({ supplier }) => supplier);
}
