/** Claims due work, computes when it is due, and works off what is due of one kind. Webhooks have a queue of their own, because receivers share slots. */
import type { WorkRow } from "../../storage/database/work.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { isHeld } from "../journal/held.ts";
import { nextDelayMs, type WorkKind } from "./kinds.ts";
import { randomUUID } from "node:crypto";
import type { Transaction } from "../../storage/database/write.ts";

export interface WorkOptions<Scope> {
  scope: Scope;
  /** Aborted when no more attempts are to begin. */
  stopping?: AbortSignal | undefined;
  concurrency?: number;
}

/**
 * Makes attempts until nothing is due. `attempt` settles its row. If it throws, the attempt counts, and is repeated whatever the
 * schedule says; a failure affects no other row.
 */
export async function workOff<Row extends WorkRow, Scope extends object>(
  { store, clock, log, cut }: Context,
  kind: WorkKind<Row, Scope>,
  { scope, stopping = cut, concurrency = 1 }: WorkOptions<Scope>,
  attempt: (row: Row) => Promise<void>,
): Promise<void> {
  const { table, delaysSeconds } = kind;
  const alive = new Set<string>();

  /** Looks with the read connection first, so that an idle server takes no write lock. */
  async function claimOne(): Promise<Row | undefined> {
    if (stopping.aborted || cut.aborted || (await isHeld(store.read))) return undefined;
    if (!(await table.hasDue(store.read, { now: clock.now() }))) return undefined;
    const [row] = await store.write((trx) => claimWork(trx, kind, scope, { limit: 1, alive }));
    return row;
  }

  async function repeatLater(row: Row, error: unknown): Promise<void> {
    if (!isReportedAlready(error))
      log.error({ ...table.identify(row), error: String(error) }, "background work failed; trying again");
    await store.write((trx) => {
      const lastMs = (delaysSeconds.at(-1) ?? 0) * 1000;
      const due = nextDue(trx, kind, row) ?? dueIn(trx, lastMs);
      return table.settle(trx, row, { due_at: due, tries: row.tries + 1 });
    });
  }

  async function work(): Promise<void> {
    for (let row = await claimOne(); row !== undefined; row = await claimOne()) {
      const claimed = row;
      alive.add(String(row.lease_owner));
      await attempt(row).catch((error: unknown) => repeatLater(claimed, error));
      alive.delete(String(row.lease_owner));
    }
  }

  await Promise.all(Array.from({ length: concurrency }, work));
}

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

export const dueIn = (trx: Transaction, ms: number): string => new Date(trx.clockMs + ms).toISOString();

interface Schedule {
  delaysSeconds: readonly number[];
}

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
