/**
 * What is known of a person by a tax number, taken out of the logs (decisions 11): bodies and providers' words that are about
 * the number. The fiscal core stays: documents, numbers, MARKs, events. A second time there is nothing left to do.
 */
import { findBody } from "../../../storage/bodies.ts";
import { findDocumentIdsByTaxIds, findMerchantIdsByTaxIds, findInputIds } from "../../../storage/erasure.ts";
import type { ProviderCallRow } from "../../../storage/calls.ts";
import { listConnectionsOfMerchant } from "../../../storage/connections.ts";
import type { RequestRow } from "../../../storage/requests.ts";
import {
  findCallsIn,
  findRequestsIn,
  purgeCallBodies,
  purgeRequestBodies,
} from "../../../storage/retention.ts";
import { findTypedEventsIn, rewriteConnectionError } from "../../../storage/rewriting.ts";
import { MODES } from "../../../storage/stored-values.ts";
import { deleteTaxAnswers, countTaxAnswers } from "../../../storage/tax-answers.ts";
import type { Context } from "../../journal/context.ts";
import { validationError } from "../../foundation/errors.ts";
import { isCountryCode, normaliseTaxCode } from "../../domain/tax-number.ts";
import { stripDocument, stripEvent, withoutWords } from "./provider-messages.ts";
import { eraseResponses } from "../../webhooks/erase-deliveries.ts";
import { CONNECTION_EVENTS } from "./retention.ts";

/** What was changed, or would be: all 0 where nothing was left. */
export interface Erasure {
  object: "erasure";
  dry_run: boolean;
  /** Documents whose error named what a provider said. */
  documents: number;
  /** Connections whose last error did. */
  connections: number;
  /** Logged requests whose bodies were removed. */
  requests: number;
  /** Provider calls whose bodies or words were removed. */
  provider_calls: number;
  events: number;
  /** Answers of the EU registry that were kept for a day. */
  lookups: number;
  /** Webhook deliveries whose receivers' answers were removed. */
  deliveries: number;
}

export interface ErasureOptions {
  dryRun: boolean;
  /** Told of the rows that were looked at so far. */
  onProgress?(done: number): void;
}

/** Rows looked at in one go. Each may have a body to be opened: some milliseconds. */
const PORTION = 200;
const CODE_FORM = /^[0-9A-Z+*]{2,32}$/;

/** The number as it may be written: with its country before it or not, with spaces, hyphens and dots between. */
interface Wanted {
  codes: string[];
  pattern: RegExp;
}

const GREEK_PREFIX = "EL";
/** What is taken out of a number before it is compared (`normaliseTaxCode`). */
const SEPARATED = "[\\s.\\-‐‑–]*";

function parseWanted(taxId: string): Wanted {
  const code = normaliseTaxCode(taxId);
  if (!CODE_FORM.test(code))
    throw validationError([{ path: "tax_id", message: "must be a tax number: 2 to 32 letters and digits" }]);
  const prefix = /^[A-Z]{2}(?=.*[0-9])/.exec(code)?.[0];
  const isPrefixed = prefix !== undefined && (prefix === GREEK_PREFIX || isCountryCode(prefix));
  const bare = isPrefixed ? code.slice(2) : code;
  const spread = [...bare].map((character) => character.replace(/[+*]/, "\\$&")).join(SEPARATED);
  return {
    codes: [...new Set([code, bare])],
    pattern: new RegExp(`(?<![0-9A-Za-z])(?:[A-Za-z]{2}${SEPARATED})?${spread}(?![0-9A-Za-z])`, "iu"),
  };
}

/** Throws `validation_failed` for what is no tax number. */
export async function eraseTaxId(context: Context, taxId: string, options: ErasureOptions): Promise<Erasure> {
  const wanted = parseWanted(taxId);
  const erasure: Erasure = {
    object: "erasure",
    dry_run: options.dryRun,
    documents: 0,
    connections: 0,
    requests: 0,
    provider_calls: 0,
    events: 0,
    lookups: 0,
    deliveries: 0,
  };
  const scene: Scene = {
    context,
    wanted,
    options,
    erasure,
    done: 0,
    documents: await findDocuments(context, wanted),
    merchants: new Set(await findMerchantIdsByTaxIds(context.store.read, wanted.codes)),
  };
  await eraseWords(scene);
  await eraseRequests(scene);
  await eraseCalls(scene);
  erasure.lookups = await (options.dryRun
    ? countTaxAnswers(context.store.read, wanted.codes)
    : context.store.write((trx) => deleteTaxAnswers(trx, wanted.codes)));
  erasure.deliveries = await eraseResponses(context, scene.documents, options.dryRun);
  if (!options.dryRun) await overwrite(context);
  return erasure;
}

const CHECKPOINT_TRIES = 50;
const CHECKPOINT_PAUSE_MS = 100;

/** What was removed stands in the write-ahead log until it is written back; readers of other processes may hold that up. */
async function overwrite({ store, log }: Context): Promise<void> {
  for (let tries = 0; tries < CHECKPOINT_TRIES; tries += 1) {
    if (store.checkpoint()) return;
    await new Promise((turn) => setTimeout(turn, CHECKPOINT_PAUSE_MS));
  }
  log.warn(
    {},
    "what was erased still stands in the write-ahead log, which another process reads; run the same erasure again later",
  );
}

interface Scene {
  context: Context;
  wanted: Wanted;
  options: ErasureOptions;
  erasure: Erasure;
  done: number;
  /** Documents that name the number, of whichever party. */
  documents: ReadonlySet<string>;
  /** Merchants that have it. */
  merchants: ReadonlySet<string>;
}

function progress(scene: Scene, rows: number): void {
  scene.done += rows;
  scene.options.onProgress?.(scene.done);
}

async function findDocuments({ store }: Context, { codes }: Wanted): Promise<Set<string>> {
  const found = new Set<string>();
  let after = "";
  for (;;) {
    const ids = await findInputIds(store.read, { after, limit: PORTION * 10 });
    const through = ids.at(-1);
    if (through === undefined) return found;
    for (const id of await findDocumentIdsByTaxIds(store.read, { after, through, codes })) found.add(id);
    after = through;
    await nextTurn();
  }
}

/** Lets everything else of this process have its turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A dry run does the same in a write that is taken back, so that it counts the very same. */
async function change<T>(
  { context, options }: Scene,
  unit: Parameters<Context["store"]["write"]>[0],
): Promise<T> {
  if (!options.dryRun) return (await context.store.write(unit)) as T;
  let result: unknown;
  try {
    await context.store.write(async (trx) => {
      result = await unit(trx);
      throw DRY_RUN;
    });
  } catch (error) {
    if (error !== DRY_RUN) throw error;
  }
  return result as T;
}

const DRY_RUN = new Error("A dry run changes nothing");

/** Providers' words in documents, connections and their events. */
async function eraseWords(scene: Scene): Promise<void> {
  const { erasure, context } = scene;
  for (const id of scene.documents) {
    const stripped = await change<Awaited<ReturnType<typeof stripDocument>>>(scene, (trx) =>
      stripDocument(trx, id, undefined),
    );
    if (stripped.document) erasure.documents += 1;
    erasure.events += stripped.events;
    progress(scene, 1);
  }
  for (const merchantId of scene.merchants) {
    for (const row of await listConnectionsOfMerchant(context.store.read, merchantId)) {
      const errorJson = withoutWords(row.last_error_json);
      if (errorJson === undefined) continue;
      await change(scene, (trx) => rewriteConnectionError(trx, row.id, errorJson));
      erasure.connections += 1;
    }
  }
  if (scene.merchants.size === 0) return;
  for (const mode of MODES) {
    for (const type of CONNECTION_EVENTS) {
      await eachPortion(
        (portion) => findTypedEventsIn(context.store.read, { ...portion, mode, type }),
        async (rows) => {
          const own = rows.filter((row) => scene.merchants.has(row.merchant_id ?? ""));
          if (own.length === 0) return;
          erasure.events += await change<number>(scene, async (trx) => {
            let stripped = 0;
            for (const row of own) if (await stripEvent(trx, row)) stripped += 1;
            return stripped;
          });
        },
      );
    }
  }
}

async function eachPortion<Row extends { id: string }>(
  find: (portion: { after: string; before: string; limit: number }) => Promise<Row[]>,
  work: (rows: Row[]) => Promise<void>,
): Promise<void> {
  let after = "";
  for (;;) {
    // Above every id of any kind.
    const rows = await find({ after, before: "~", limit: PORTION });
    await work(rows);
    await nextTurn();
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PORTION) return;
  }
}

/** Whether the bodies under an id name the number. What cannot be opened cannot be read by anybody. */
async function isNamedIn({ context, wanted }: Scene, id: string): Promise<boolean> {
  const body = await findBody(context.store.read, id);
  const opened = body === undefined ? undefined : context.store.cipher.open(id, body.sealed);
  return opened !== undefined && isNamedBy(JSON.parse(opened.toString("utf8")), wanted.pattern);
}

/** Whether any text of the value names the number: as it stands, or as a URL writes it. */
function isNamedBy(value: unknown, pattern: RegExp): boolean {
  if (typeof value === "string") return pattern.test(value) || pattern.test(decoded(value));
  if (typeof value === "number") return pattern.test(String(value));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]) => pattern.test(key) || isNamedBy(member, pattern));
}

function decoded(text: string): string {
  return text
    .replaceAll("+", " ")
    .replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) =>
      Buffer.from(escapes.replaceAll("%", ""), "hex").toString("utf8"),
    );
}

async function eraseRequests(scene: Scene): Promise<void> {
  const { erasure, context } = scene;
  const isAbout = async (row: RequestRow) =>
    row.bodies_purged_at === null &&
    (scene.documents.has(row.document_id ?? "") || (await isNamedIn(scene, row.id)));
  await eachPortion(
    (portion) => findRequestsIn(context.store.read, portion),
    async (rows) => {
      const about: RequestRow[] = [];
      for (const row of rows) if (await isAbout(row)) about.push(row);
      if (about.length > 0) {
        erasure.requests += await change<number>(scene, async (trx) => {
          let purged = 0;
          for (const row of about) if (await purgeRequestBodies(trx, row.id, trx.now)) purged += 1;
          return purged;
        });
      }
      progress(scene, rows.length);
    },
  );
}

async function eraseCalls(scene: Scene): Promise<void> {
  const { erasure, context } = scene;
  const isAbout = async (row: ProviderCallRow) =>
    scene.documents.has(row.document_id ?? "") ||
    scene.merchants.has(row.merchant_id) ||
    (row.body_id !== null && row.bodies_purged_at === null && (await isNamedIn(scene, row.body_id)));
  const isLeft = (row: ProviderCallRow) =>
    (row.body_id !== null && row.bodies_purged_at === null) || withoutWords(row.error_json) !== undefined;
  await eachPortion(
    (portion) => findCallsIn(context.store.read, portion),
    async (rows) => {
      const about: ProviderCallRow[] = [];
      for (const row of rows) if (isLeft(row) && (await isAbout(row))) about.push(row);
      if (about.length > 0) {
        await change(scene, async (trx) => {
          for (const row of about) {
            const errorJson = withoutWords(row.error_json) ?? row.error_json;
            await purgeCallBodies(trx, { id: row.id, bodyId: row.body_id, at: trx.now, errorJson });
          }
        });
        erasure.provider_calls += about.length;
      }
      progress(scene, rows.length);
    },
  );
}
