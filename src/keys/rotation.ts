/**
 * Changing the master key beside running servers (decisions 12). The database names the new key first, and from then on
 * every process seals with it; then everything that is sealed with the old one is gone through in portions. How far that
 * has come is kept with each portion, so that a rotation which was killed goes on where it stopped.
 */
import { keyNameOf } from "../../storage/cipher.ts";
import { deleteWatermark } from "../../storage/watermarks.ts";
import {
  countSealedWithOtherKeys,
  findSealedWithOtherKeys,
  findSealedValue,
  replaceSealedValue,
  type RowKey,
  SEALED_COLUMNS,
  type SealedColumn,
} from "../../storage/sealed.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Context } from "../journal/context.ts";
import { responseRecord } from "../journal/create-once.ts";
import { taxAnswerRecord } from "../tax-ids/lookup-cache.ts";
import { promoteNewKey } from "./key-files.ts";
import {
  beginRotation,
  keepRotation,
  requireReplacedKey,
  ROTATION,
  type RotationState,
} from "./rotation-plan.ts";

/** What a rotation did; the names of keys are eight hexadecimal digits, and tell nothing of them. */
export interface Rotation {
  object: "master_key_rotation";
  from: string;
  to: string;
  /** Whether it went on with one that had been begun before. */
  resumed: boolean;
  /** Values sealed anew in this run, by table. */
  resealed: Record<string, number>;
  /** Values that no key opens, by table: they were unreadable before, and are left as they are. */
  unreadable: Record<string, number>;
  /** Where the replaced key is kept for older backups; null where keys come from the environment. */
  retired_key_file: string | null;
}

export interface RotationOptions {
  /** 32 bytes; undefined makes a random one. */
  newKey?: Buffer | undefined;
  /** Told how many values are done, of how many there were at the start. */
  onProgress?(done: number, total: number): void;
}

/** Rows and bytes in one write: some milliseconds, for which others wait. */
const PORTION_ROWS = 200;
const PORTION_BYTES = 4 * 1024 * 1024;

/** The record that a value is sealed for, by its table and its row's key. */
function recordOf(table: string, key: RowKey): string {
  const [first = "", second = "", third = ""] = key;
  if (table === "idempotency") return responseRecord(first as Mode, { operation: second, key: third });
  if (table === "tax_answers") return taxAnswerRecord({ country: first, code: second });
  return first;
}

/** Rotates to a new key, or finishes a rotation. Throws ConfigurationError where there is no key to rotate to. */
export async function rotateMasterKey(context: Context, options: RotationOptions = {}): Promise<Rotation> {
  const { store, config } = context;
  const { state, resumed } = await beginRotation(context, options.newKey);
  const walk: Walk = { context, state, resealed: {}, unreadable: {}, done: 0, total: 0, options };
  for (const column of SEALED_COLUMNS)
    walk.total += await countSealedWithOtherKeys(store.read, column, state.to);
  if (walk.total > 0) requireReplacedKey(context, state);
  options.onProgress?.(0, walk.total);
  const begunAt = SEALED_COLUMNS.findIndex(({ table }) => table === state.table);
  for (const [index, column] of SEALED_COLUMNS.entries()) {
    if (index < begunAt) continue;
    await resealColumn(walk, column, index === begunAt ? (state.after ?? undefined) : undefined);
  }
  // Once more from the beginning: the old key is let go only where nothing needs it.
  for (const column of SEALED_COLUMNS) await resealColumn(walk, column, undefined);
  let retired: string | null = null;
  await store.write(async (trx) => {
    if (config.security.masterKey === null)
      retired = promoteNewKey(config.security.masterKeyFile, context.clock.today()) ?? retired;
    await deleteWatermark(trx, ROTATION);
  });
  // What was sealed with the old key stands in the write-ahead log until it is written back.
  store.checkpoint();
  const { resealed, unreadable } = walk;
  return {
    object: "master_key_rotation",
    from: state.from,
    to: state.to,
    resumed,
    resealed,
    unreadable,
    retired_key_file: retired,
  };
}

interface Walk {
  context: Context;
  state: RotationState;
  resealed: Record<string, number>;
  unreadable: Record<string, number>;
  done: number;
  total: number;
  options: RotationOptions;
}

/** Seals everything in the column anew that lies behind `from`. What cannot be opened is counted and passed over. */
async function resealColumn(walk: Walk, column: SealedColumn, from: RowKey | undefined): Promise<void> {
  const { context, state } = walk;
  let after = from;
  let unreadable = 0;
  for (;;) {
    const portion = { keyName: state.to, after, limit: PORTION_ROWS };
    const keys = withinBytes(await findSealedWithOtherKeys(context.store.read, column, portion));
    const last = keys.at(-1);
    if (last === undefined) break;
    const beganAt = performance.now();
    const resealed = await context.store.write(async (trx) => {
      let count = 0;
      for (const key of keys) if (await resealRow(trx, walk, column, key)) count += 1;
      await keepRotation(trx, { ...state, table: column.table, after: last });
      return count;
    });
    walk.resealed[column.table] = (walk.resealed[column.table] ?? 0) + resealed;
    unreadable += keys.length - resealed;
    walk.done += resealed;
    walk.options.onProgress?.(walk.done, Math.max(walk.total, walk.done));
    after = last;
    // As long as others waited for us they go first now.
    await new Promise((turn) => setTimeout(turn, performance.now() - beganAt));
  }
  if (unreadable > 0) walk.unreadable[column.table] = unreadable;
}

/** At least one, and no more than fit into a portion: bodies may be large. */
function withinBytes(rows: readonly { key: RowKey; bytes: number }[]): RowKey[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => (bytes += row.bytes) > PORTION_BYTES && index > 0);
  return (end === -1 ? rows : rows.slice(0, end)).map(({ key }) => key);
}

/** False where no key opens it. A row that is gone, or was sealed anew by another, is done. */
async function resealRow(
  trx: Transaction,
  { context, state }: Walk,
  column: SealedColumn,
  key: RowKey,
): Promise<boolean> {
  const { cipher } = context.store;
  const sealed = await findSealedValue(trx, column, key);
  if (sealed === undefined || sealed === null || keyNameOf(sealed) === state.to) return true;
  const record = recordOf(column.table, key);
  const opened = cipher.open(record, sealed);
  if (opened === undefined) return false;
  await replaceSealedValue(trx, column, key, cipher.seal(record, opened));
  return true;
}
