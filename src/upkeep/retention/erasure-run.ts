/** The state of one erasure, the search for the number, and the steps that its parts share: portions, dry runs and progress. */
import type { Portion } from "../../../storage/database/queries.ts";
import type { KeyedSession } from "../../../storage/database/session.ts";
import type { Transaction } from "../../../storage/database/write.ts";
import { everyPortion } from "../../foundation/pages.ts";
import { yieldToOthers } from "../../foundation/turns.ts";
import type { Context } from "../../journal/context.ts";
import { isCountryCode, normaliseTaxCode } from "../../domain/tax-number.ts";
import { validationError } from "../../foundation/errors.ts";
import type { Text } from "../../foundation/text.ts";

const COUNTED = [
  // Whose error contained a provider's message.
  "documents",
  // Whose last error contained one.
  "connections",
  // Logged requests whose bodies were deleted, or whose ids were replaced.
  "requests",
  // Whose bodies, messages or addresses were deleted.
  "provider_calls",
  // That contained a provider's message about it, or it in the ids of their request.
  "events",
  // Records of idempotency keys with it.
  "idempotency_keys",
  // Whose return URL contained it.
  "connect_sessions",
  // Cached answers of the EU registry.
  "lookups",
  // Customers remembered for merchants.
  "customers",
  // Parts of a provider's lists, kept for a comparison, that contained it.
  "listing_windows",
  // Webhook deliveries whose responses were deleted.
  "deliveries",
  // Whose address was removed.
  "mails",
] as const;

type Counts = Record<(typeof COUNTED)[number], number>;

/** What was changed, or would be in a dry run. All counts are 0 if nothing was left. */
export type Erasure = ReturnType<typeof startErasure>;

export function startErasure({ dryRun }: ErasureOptions) {
  const counts = Object.fromEntries(COUNTED.map((kind) => [kind, 0])) as Counts;
  return { object: "erasure" as const, dry_run: dryRun, ...counts };
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
  done: number;
  /** Documents that name the number as any party. */
  documents: ReadonlySet<string>;
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

interface Erasing<Row> {
  /** Rows at a time. */
  portion?: number;
  find(session: KeyedSession, portion: Portion): Promise<Row[]>;
  isAbout(row: Row): boolean | Promise<boolean>;
  /** Returns false if there was nothing left to erase. */
  erase(trx: Transaction, row: Row): Promise<unknown>;
}

/**
 * Erases what is about the number in all rows that `find` returns, in portions by id, and counts the rows as `kind`. Other work of the
 * process runs in between.
 */
export async function eraseRows<Row extends { id: string }>(
  run: ErasureRun,
  kind: keyof Counts,
  { portion = PORTION, find, isAbout, erase }: Erasing<Row>,
): Promise<void> {
  const portions = everyPortion<Row>(portion, (last, limit) =>
    find(run.context.store.read, { after: last?.id ?? "", before: AFTER_ALL_IDS, limit }),
  );
  for await (const rows of portions) {
    const found: Row[] = [];
    for (const row of rows) if (await isAbout(row)) found.push(row);
    if (found.length > 0)
      run.erasure[kind] += await change(run, async (trx) => {
        let erased = 0;
        for (const row of found) if ((await erase(trx, row)) !== false) erased += 1;
        return erased;
      });
    reportProgress(run, rows.length);
    await yieldToOthers();
  }
}

/** Sorts after every id of any kind. */
const AFTER_ALL_IDS = "~";

export interface SearchedNumber {
  /** The normalised number, with and without its country prefix. */
  codes: string[];
  /** Whether the text contains the number: with or without a prefix, separators or leading zeros. */
  isIn(text: string): boolean;
}

const CODE_FORM = /^[0-9A-Z+*]{2,32}$/;
const GREEK_PREFIX = "EL";
/** What people and programs write between the characters of a number. */
const SEPARATORS = "[\\s.,·•'’|/\\\\_:+\\-‐‑–—−]{0,3}";
/** A space in a URL, and one in XML that does not break. */
const ESCAPED_SPACE = /%20|&#160;|&nbsp;/g;
/** Shorter numbers without their leading zeros are too common. */
const SHORTENED_MIN = 7;

const NOT_A_TAX_NUMBER: Text = {
  en: "must be a tax number: 2 to 32 letters and digits",
  el: "πρέπει να είναι αριθμός φορολογικού μητρώου: 2 έως 32 λατινικά γράμματα και ψηφία",
};

export function parseSearchedNumber(taxId: string): SearchedNumber {
  const code = normaliseTaxCode(taxId);
  if (!CODE_FORM.test(code)) throw validationError([{ path: "tax_id", message: NOT_A_TAX_NUMBER }]);
  const prefix = /^[A-Z]{2}(?=.*[0-9])/.exec(code)?.[0];
  const isPrefixed = prefix !== undefined && (prefix === GREEK_PREFIX || isCountryCode(prefix));
  const bare = isPrefixed ? code.slice(2) : code;
  const pattern = patternOf(bare);
  return {
    codes: [...new Set([code, bare])],
    isIn: (text) => pattern.test(text.replaceAll(ESCAPED_SPACE, " ")),
  };
}

function patternOf(bare: string): RegExp {
  const isDigits = /^[0-9]+$/.test(bare);
  const zeros = /^0*/.exec(bare)![0].length;
  const mayBeShortened = isDigits && bare.length - zeros >= SHORTENED_MIN;
  const characters = Array.from(bare, (character, index) => {
    const literal = character.replace(/[+*]/, "\\$&");
    const separated = index === bare.length - 1 ? literal : `${literal}${SEPARATORS}`;
    return mayBeShortened && index < zeros ? `(?:${separated})?` : separated;
  }).join("");
  // Letters may touch a number of digits: `inv094012834`, `EL094012834`.
  return isDigits
    ? new RegExp(`(?<![0-9])${characters}(?![0-9])`, "u")
    : new RegExp(`(?<![0-9A-Za-z])(?:[A-Za-z]{2}${SEPARATORS})?${characters}(?![0-9A-Za-z])`, "iu");
}

/** Whether any text, number or key in a JSON value contains the number. */
export function containsNumber(value: unknown, searched: SearchedNumber): boolean {
  if (typeof value === "string") return searched.isIn(value);
  if (typeof value === "number") return searched.isIn(String(value));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([key, member]) => searched.isIn(key) || containsNumber(member, searched),
  );
}
