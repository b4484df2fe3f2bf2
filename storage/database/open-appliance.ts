/** Opens the appliance in a database, the same way on both engines: its one row, and the check of the master key. */
import {
  type AuditKey,
  isKeyOf,
  type KeyRing,
  makeSealedAuditKey,
  sealKeyCheck,
} from "../encryption/key-ring.ts";
import { authenticateEnd, CHAIN_START } from "../journal/event-chain.ts";
import { findAppliance } from "../upkeep/appliance-state.ts";
import { MasterKeyError } from "./errors.ts";
import { LOWEST_ID_BODY } from "./ids.ts";
import { progressOf, type StoredProgress } from "./lost-writes.ts";
import type { NewRow } from "./schema.ts";
import { rowStatement, type Session } from "./session.ts";

/** Another process may do the same. */
const insertAppliance = rowStatement<NewRow<"appliance">>()((db, row) =>
  db
    .insertInto("appliance")
    .values(row)
    .onConflict((conflict) => conflict.doNothing()),
);

/**
 * Inserts the appliance row into a new database, and returns how far the database has come, with its audit key. Throws MasterKeyError
 * if it has another master key, and AuditKeyError if that key does not open the audit key.
 */
export async function openAppliance(
  session: Session,
  ring: KeyRing,
  nowMs: number,
): Promise<{ stored: StoredProgress; auditKey: AuditKey }> {
  let row = await findAppliance(session);
  if (row === undefined) {
    await session.run(insertAppliance, newAppliance(ring, nowMs));
    row = await findAppliance(session);
  }
  if (row === undefined || !isKeyOf(ring, row.key_check)) throw new MasterKeyError();
  ring.follow(row.key_check);
  return { stored: progressOf(row), auditKey: ring.openAuditKey(row.audit_key) };
}

function newAppliance(ring: KeyRing, nowMs: number): NewRow<"appliance"> {
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
