/** The state of one erasure, and the steps that its parts share: portions, dry runs and progress. */
import type { Transaction } from "../../../storage/database/write.ts";
import { yieldToOthers } from "../../foundation/yield-to-others.ts";
import type { Context } from "../../journal/context.ts";
import type { SearchedNumber } from "./tax-number-search.ts";

/** What was changed, or would be in a dry run. All counts are 0 if nothing was left. */
export interface Erasure {
  object: "erasure";
  dry_run: boolean;
  /** Documents whose error contained a provider's message. */
  documents: number;
  /** Connections whose last error contained one. */
  connections: number;
  /** Logged requests whose bodies were deleted, or whose ids were replaced. */
  requests: number;
  /** Provider calls whose bodies, messages or addresses were deleted. */
  provider_calls: number;
  /** Events that contained a provider's message about it, or it in the ids of their request. */
  events: number;
  /** Records of idempotency keys with it. */
  idempotency_keys: number;
  /** Connect sessions whose return URL contained it. */
  connect_sessions: number;
  /** Cached answers of the EU registry. */
  lookups: number;
  /** Customers remembered for merchants. */
  customers: number;
  /** Parts of a provider's lists, kept for a comparison, that contained it. */
  listing_windows: number;
  /** Webhook deliveries whose responses were deleted. */
  deliveries: number;
  /** Mails whose address was removed. */
  mails: number;
}

export interface ErasureOptions {
  dryRun: boolean;
  /** Receives how many rows were examined so far. */
  onProgress?(done: number): void;
}

export interface ErasureRun {
  context: Context;
  searched: SearchedNumber;
  options: ErasureOptions;
  erasure: Erasure;
  /** Rows examined so far. */
  done: number;
  /** Documents that name the number as any party. */
  documents: ReadonlySet<string>;
  /** Merchants with this number. */
  merchants: ReadonlySet<string>;
}

/** Rows examined at a time. Each may have a body to decrypt, which takes some milliseconds in all. */
export const PORTION = 200;

export function reportProgress(run: ErasureRun, rows: number): void {
  run.done += rows;
  run.options.onProgress?.(run.done);
}

const DRY_RUN = new Error("A dry run changes nothing");

/** Runs `unit` in a write. A dry run rolls the write back, so that it counts exactly the same. */
export async function change<T>(
  { context, options }: Pick<ErasureRun, "context" | "options">,
  unit: (trx: Transaction) => Promise<T>,
): Promise<T> {
  if (!options.dryRun) return context.store.write(unit);
  let result: { value: T } | undefined;
  try {
    await context.store.write(async (trx) => {
      result = { value: await unit(trx) };
      throw DRY_RUN;
    });
  } catch (error) {
    if (error !== DRY_RUN) throw error;
  }
  return result!.value;
}

/** Calls `work` with all rows that `find` returns, in portions by id. Other work of the process runs in between. */
export async function eachPortion<Row extends { id: string }>(
  find: (portion: { after: string; before: string; limit: number }) => Promise<Row[]>,
  work: (rows: Row[]) => Promise<void>,
): Promise<void> {
  let after = "";
  for (;;) {
    const rows = await find({ after, before: AFTER_ALL_IDS, limit: PORTION });
    await work(rows);
    await yieldToOthers();
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PORTION) return;
  }
}

/** Sorts after every id of any kind. */
const AFTER_ALL_IDS = "~";
