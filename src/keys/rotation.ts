/**
 * Replaces the master key while servers run (docs/contract.md#master-key). First the database names the new key, and every
 * process encrypts with it from then on. Then all values encrypted with the old key are re-encrypted in portions. Each
 * portion stores how far the rotation has come, so that one that was killed continues where it stopped.
 */
import { keyNameOf, placeOf } from "../../storage/encryption/cipher.ts";
import { deleteWatermark } from "../../storage/upkeep/appliance-state.ts";
import {
  countSealedWithOtherKeys,
  findSealedWithOtherKeys,
  findSealedValue,
  replaceSealedValue,
  type RowKey,
  SEALED_COLUMNS,
  type SealedColumn,
} from "../../storage/encryption/sealed.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Context } from "../journal/context.ts";
import { promoteNewKey } from "./key-files.ts";
import { beginRotation, saveRotation, requireOldKey, ROTATION, type RotationState } from "./rotation-plan.ts";

/** The result of a rotation. A key's name has eight hexadecimal digits and reveals nothing of the key. */
export type Rotation = Awaited<ReturnType<typeof rotateMasterKey>>;

export interface RotationOptions {
  /** 32 bytes; by default random. */
  newKey?: Buffer | undefined;
  /** Receives how many values are done, and how many there were at the start. */
  onProgress?(done: number, total: number): void;
}

/** Rows and bytes in one write. Other writes wait some milliseconds for it. */
const PORTION_ROWS = 200;
const PORTION_BYTES = 4 * 1024 * 1024;

/** Rotates to a new key, or finishes a rotation that was stopped. Throws ConfigurationError like `beginRotation`, or without the old key. */
export async function rotateMasterKey(context: Context, { newKey, onProgress }: RotationOptions = {}) {
  const { store, config } = context;
  const { state, resumed } = await beginRotation(context, newKey);
  const resealed: Record<string, number> = {};
  const unreadable: Record<string, number> = {};
  let done = 0;
  let total = 0;

  /** Re-encrypts the values of a column, from the row after `from`. Counts and skips those that no key decrypts. */
  async function resealColumn(column: SealedColumn, from: RowKey | undefined): Promise<void> {
    let after = from;
    let skipped = 0;
    for (;;) {
      const portion = { keyName: state.to, after, limit: PORTION_ROWS };
      const keys = limitBytes(await findSealedWithOtherKeys(store.read, column, portion));
      const last = keys.at(-1);
      if (last === undefined) break;
      const beganAt = performance.now();
      const count = await store.write(async (trx) => {
        let rows = 0;
        for (const key of keys) if (await resealRow(trx, state, column, key)) rows += 1;
        await saveRotation(trx, { ...state, table: column.table, after: last });
        return rows;
      });
      resealed[column.table] = (resealed[column.table] ?? 0) + count;
      skipped += keys.length - count;
      done += count;
      onProgress?.(done, Math.max(total, done));
      after = last;
      // Other writes get as much time as this portion took.
      await new Promise((turn) => setTimeout(turn, performance.now() - beganAt));
    }
    if (skipped > 0) unreadable[column.table] = skipped;
  }

  for (const column of SEALED_COLUMNS) total += await countSealedWithOtherKeys(store.read, column, state.to);
  if (total > 0) requireOldKey(context, state);
  onProgress?.(0, total);
  const begunAt = SEALED_COLUMNS.findIndex(({ table }) => table === state.table);
  for (const [index, column] of SEALED_COLUMNS.entries())
    if (index >= begunAt)
      await resealColumn(column, index === begunAt ? (state.after ?? undefined) : undefined);
  // A second pass: another process may still have written with the old key. It is retired only when nothing needs it.
  for (const column of SEALED_COLUMNS) await resealColumn(column, undefined);
  let retired: string | null = null;
  await store.write(async (trx) => {
    if (config.security.masterKey === null)
      retired = promoteNewKey(config.security.masterKeyFile, context.clock.today()) ?? retired;
    await deleteWatermark(trx, { name: ROTATION });
  });
  // The old values are still in the write-ahead log until it is written back.
  store.checkpoint();
  return {
    object: "master_key_rotation" as const,
    from: state.from,
    to: state.to,
    /** Whether it continued a rotation that was stopped. */
    resumed,
    /** Values re-encrypted in this run, by table. */
    resealed,
    /** Values that no key decrypts, by table. They were unreadable before, and are not changed. */
    unreadable,
    /** The file of the old key, which older backups need; null if keys come from the environment. */
    retired_key_file: retired as string | null,
  };
}

/** Returns the first rows that fit into a portion, at least one. Bodies may be large. */
function limitBytes(rows: readonly { key: RowKey; bytes: number }[]): RowKey[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => (bytes += row.bytes) > PORTION_BYTES && index > 0);
  return (end === -1 ? rows : rows.slice(0, end)).map(({ key }) => key);
}

/** Returns false if no key decrypts the value. A row that is gone or already re-encrypted counts as done. */
async function resealRow(
  trx: Transaction,
  state: RotationState,
  column: SealedColumn,
  key: RowKey,
): Promise<boolean> {
  const { cipher } = trx;
  const sealed = await findSealedValue(trx, column, key);
  if (sealed === undefined || sealed === null || keyNameOf(sealed) === state.to) return true;
  const place = placeOf(column.table, column.column, key);
  const opened = cipher.open(place, sealed);
  if (opened === undefined) return false;
  await replaceSealedValue(trx, column, key, cipher.seal(place, opened));
  return true;
}
