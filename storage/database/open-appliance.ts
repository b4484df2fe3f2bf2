/** What opening a database has in common in both engines: its one row about the appliance, and the check of the master key. */
import type { Insertable } from "kysely";
import {
  type AuditKey,
  isKeyOf,
  type KeyRing,
  makeSealedAuditKey,
  type ReadMasterKeys,
  sealKeyCheck,
} from "../encryption/key-ring.ts";
import { authenticateEnd, CHAIN_START } from "../journal/event-chain.ts";
import { LOWEST_ID_BODY } from "./ids.ts";
import { firstRow } from "./queries.ts";
import type { ApplianceTable } from "./schema.ts";
import { rowStatement, type Session } from "./session.ts";
import { progressOf, type StoredProgress } from "./transactions.ts";

const findKeys = firstRow()((db) =>
  db
    .selectFrom("appliance")
    .select(["key_check", "audit_key", "created_at", "resumed_at", "last_id", "chain_id", "chain"])
    .where("id", "=", 1),
);

/** Another process may do the same. */
const insertAppliance = rowStatement<Insertable<ApplianceTable>>()((db, row) =>
  db
    .insertInto("appliance")
    .values(row)
    .onConflict((conflict) => conflict.doNothing()),
);

/**
 * Inserts the appliance row into a new database, and returns how far the database has come, with its audit key. Throws MasterKeyError if it has
 * another master key, UnreleasedSchemaError if it was sealed in another form, and AuditKeyError if that key does not open the audit
 * key. `file` is named in errors.
 */
export async function openAppliance(
  session: Session,
  ring: KeyRing,
  { readKeys, nowMs, file }: { readKeys: ReadMasterKeys; nowMs: number; file?: string },
): Promise<{ stored: StoredProgress; auditKey: AuditKey }> {
  let row = await findKeys(session);
  if (row === undefined) {
    await session.run(insertAppliance, newAppliance(ring, nowMs));
    row = await findKeys(session);
  }
  if (row === undefined || !isKeyOf(ring, row.key_check)) {
    const { explainKeyCheck } = await import("../sqlite/old-form.ts");
    throw explainKeyCheck(readKeys(), row?.key_check, file);
  }
  ring.follow(row.key_check);
  return { stored: progressOf(row), auditKey: ring.openAuditKey(row.audit_key) };
}

function newAppliance(ring: KeyRing, nowMs: number): Insertable<ApplianceTable> {
  const auditKey = makeSealedAuditKey(ring);
  return {
    id: 1,
    last_id: LOWEST_ID_BODY,
    key_check: sealKeyCheck(ring),
    audit_key: auditKey,
    chain_seal: authenticateEnd(ring.openAuditKey(auditKey), CHAIN_START),
    state: "active",
    created_at: new Date(nowMs).toISOString(),
  };
}
