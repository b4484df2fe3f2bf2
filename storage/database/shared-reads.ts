/**
 * Reads that the units of one transaction share, because each would read the same, such as the settings of the merchant for whom
 * many documents are accepted together. A change may be rolled back with its unit, so after one nothing is shared any more.
 */
import type { Session } from "./session.ts";
import type { Transaction } from "./write.ts";

/** What was read in each transaction, by a name for each read; null once it has changed something that is read here. */
const readIn = new WeakMap<Session, Map<string, unknown> | null>();

/** Runs `read`, once in a transaction. Everything that changes what it reads must call `forgetReads`. */
export async function readOnce<T>(session: Session, name: string, read: () => Promise<T>): Promise<T> {
  const known = isTransaction(session) ? readIn.get(session) : null;
  if (known === null) return read();
  const values = known ?? new Map<string, unknown>();
  if (known === undefined) readIn.set(session, values);
  if (values.has(name)) return values.get(name) as T;
  const value = await read();
  values.set(name, value);
  return value;
}

/** Called by each change of what `readOnce` reads. */
export function forgetReads(trx: Transaction): void {
  readIn.set(trx, null);
}

/** Outside of a transaction each read must see what others have committed since the last. */
function isTransaction(session: Session): session is Transaction {
  return "newId" in session;
}
