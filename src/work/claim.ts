/** Claims due work, and computes when it is due. */
import { randomUUID } from "node:crypto";
import type { WorkRow } from "../../storage/database/work.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { WorkKind } from "./kinds.ts";
import { nextDelayMs } from "./retry-schedule.ts";

export interface ClaimOptions {
  limit: number;
  /** The owners of the claims that this process is working on. They are not taken over, even if the machine slept. */
  alive?: Iterable<string>;
}

/** Claims rows that are due. None while the appliance is held. */
export async function claimWork<Row extends WorkRow, Scope extends object>(
  trx: Transaction,
  { table, leaseMs }: Pick<WorkKind<Row, Scope>, "table" | "leaseMs">,
  scope: Scope,
  { limit, alive = [] }: ClaimOptions,
): Promise<Row[]> {
  if (trx.isHeld) return [];
  return table.claim(trx, {
    ...scope,
    due: dueIn(trx, 0),
    until: dueIn(trx, leaseMs),
    owner: randomUUID(),
    alive: [...alive],
    limit,
  });
}

/** The instant `ms` after now. */
export const dueIn = (trx: Transaction, ms: number): string => new Date(trx.clockMs + ms).toISOString();

interface Schedule {
  delaysSeconds: readonly number[];
}

/** When new work is due. */
export const firstDue = (trx: Transaction, { delaysSeconds }: Schedule): string =>
  dueIn(trx, (delaysSeconds[0] ?? 0) * 1000);

/** When the attempt after this one is due; null if it was the last. `retryAfterMs` is what the other side asked for. */
export function nextDue(
  trx: Transaction,
  { delaysSeconds }: Schedule,
  { tries }: WorkRow,
  retryAfterMs?: number,
): string | null {
  const delayMs = nextDelayMs({ tries: tries + 1, retryAfterMs, random: Math.random() }, delaysSeconds);
  return delayMs === undefined ? null : dueIn(trx, delayMs);
}
