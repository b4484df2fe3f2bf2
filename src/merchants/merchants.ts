/** Creates, changes, archives and lists merchants. Both modes share them (docs/contract.md#modes). */
import type { Slice } from "../../storage/database/lists.ts";
import { isId } from "../../storage/database/ids.ts";
import {
  findMerchantRow,
  findMerchantRowByExternalId,
  insertMerchant,
  isUsedInMode,
  findMerchantSlice,
  type MerchantRow,
  updateMerchantRow,
  outdateLetterheads,
} from "../../storage/merchants/merchants.ts";
import type { Session } from "../../storage/database/session.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Cause, Context, Created, IdempotencyUse } from "../journal/context.ts";
import { everyPage, type Page, type PageQuery, readPage } from "../foundation/pages.ts";
import { createOnce } from "../journal/create-once.ts";
import { AppError, validationError } from "../foundation/errors.ts";
import { appendEvent, previousAttributes } from "../journal/append-event.ts";
import { readJson } from "../foundation/json.ts";
import { normaliseTaxCode } from "../domain/tax-number.ts";
import { maximumPairs } from "../foundation/messages.ts";
import { METADATA_PAIRS_MAX } from "../foundation/field-schemas.ts";
import type { Text } from "../foundation/text.ts";
import { parseWith } from "../foundation/validation.ts";
import {
  buildMerchantObject,
  CreateMerchantSchema,
  type MerchantObject,
  UpdateMerchantSchema,
} from "./merchant-object.ts";
import type { Mode } from "../../storage/stored-values.ts";

/** External ids are compared in this form: without case, and with accents composed. */
function foldExternalId(externalId: string): string {
  return externalId.trim().normalize("NFC").toLowerCase();
}

const EXTERNAL_ID_TAKEN: Text = {
  en: "A merchant with this external_id exists; look it up by its external_id",
  el: "Υπάρχει ήδη επιχείρηση με αυτό το external_id· βρείτε την με το external_id της",
  next: { operation: "listMerchants" },
};
const NO_SUCH_MERCHANT: Text = { en: "There is no such merchant", el: "Δεν υπάρχει τέτοια επιχείρηση" };
const NO_MERCHANT_OF_THIS_NAME: Text = {
  en: "There is no merchant with this id or external id",
  el: "Δεν υπάρχει επιχείρηση με αυτό το id ή εξωτερικό id",
  next: { operation: "listMerchants" },
};

/** Throws `validation_failed`, `already_exists`, or the idempotency errors of `createOnce`. */
export async function createMerchant(
  context: Context,
  body: unknown,
  cause: Cause,
  use?: IdempotencyUse,
): Promise<Created> {
  const input = parseWith(CreateMerchantSchema, body, "");
  return context.store.write((trx) =>
    createOnce(trx, cause.mode, use, async () => {
      const folded = foldExternalId(input.external_id);
      if ((await findMerchantRowByExternalId(trx, { external_id_folded: folded })) !== undefined)
        throw new AppError("already_exists", EXTERNAL_ID_TAKEN);
      const row = await insertMerchant(trx, {
        id: trx.newId("mer"),
        external_id: input.external_id,
        external_id_folded: folded,
        name: input.name,
        tax_id: input.tax_id ?? null,
        branch: input.branch ?? 0,
        metadata_json: JSON.stringify(input.metadata ?? {}),
        archived: 0,
        created_at: trx.now,
      });
      const after = buildMerchantObject(row);
      const created = { type: "merchant.created", after, merchantId: row.id, cause } as const;
      return { id: row.id, ...(await appendEvent(trx, created)) };
    }),
  );
}

/** Throws `not_found`. */
export async function requireMerchantRow(session: Session, id: string): Promise<MerchantRow> {
  const row = isId(id, "mer") ? await findMerchantRow(session, { id }) : undefined;
  if (row === undefined) throw noSuchMerchant();
  return row;
}

export function noSuchMerchant(): AppError {
  return new AppError("not_found", NO_SUCH_MERCHANT);
}

export async function getMerchant(context: Context, id: string): Promise<MerchantObject> {
  return buildMerchantObject(await requireMerchantRow(context.store.read, id));
}

/** Finds a merchant by its id or, ignoring case, its external id. For the command line. Throws `not_found`. */
export async function findMerchantByName(context: Context, name: string): Promise<MerchantObject> {
  const { read } = context.store;
  const byId = isId(name, "mer") ? await findMerchantRow(read, { id: name }) : undefined;
  const row = byId ?? (await findMerchantRowByExternalId(read, { external_id_folded: foldExternalId(name) }));
  if (row === undefined) throw new AppError("not_found", NO_MERCHANT_OF_THIS_NAME);
  return buildMerchantObject(row);
}

export async function listMerchants(
  context: Context,
  query: PageQuery & {
    external_id?: string | undefined;
    tax_id?: string | undefined;
    archived?: boolean | undefined;
  },
): Promise<Page<MerchantObject>> {
  const filters = {
    externalIdFolded: query.external_id === undefined ? undefined : foldExternalId(query.external_id),
    taxId: query.tax_id === undefined ? undefined : normaliseTaxCode(query.tax_id),
    archived: query.archived,
  };
  const find = (slice: Slice) => findMerchantSlice(context.store.read, filters, slice);
  return readPage("mer", query, find, buildMerchantObject);
}

/** Writes a changed merchant and its event, or neither if nothing changed. Throws `invalid_state`. */
async function change(
  context: Context,
  id: string,
  cause: Cause,
  alter: (row: MerchantRow, trx: Transaction) => Promise<MerchantRow>,
): Promise<MerchantRow> {
  return context.store.write(async (trx) => {
    const before = await requireMerchantRow(trx, id);
    const after = await alter(before, trx);
    const objects = { before: buildMerchantObject(before), after: buildMerchantObject(after) };
    const previous = previousAttributes(objects.before, objects.after);
    if (previous === undefined) return before;
    await requireChangeable(trx, before, previous, cause.mode);
    await updateMerchantRow(trx, after);
    if (after.name !== before.name) await outdateLetterheads(trx, { merchantId: id });
    await appendEvent(trx, { type: "merchant.updated", ...objects, merchantId: id, cause });
    return after;
  });
}

/** PATCH merges: a key set to null is removed (docs/contract.md#metadata). */
function mergeMetadata(
  before: Record<string, string>,
  changes: Record<string, string | null>,
): Record<string, string> {
  const merged = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  if (merged.size > METADATA_PAIRS_MAX) {
    throw validationError([{ path: "metadata", message: maximumPairs(METADATA_PAIRS_MAX) }]);
  }
  return Object.fromEntries(merged);
}

/** Throws `validation_failed`, `not_found`, `already_exists` or `invalid_state`. */
export async function updateMerchant(
  context: Context,
  id: string,
  body: unknown,
  cause: Cause,
): Promise<MerchantObject> {
  const input = parseWith(UpdateMerchantSchema, body, "");
  const row = await change(context, id, cause, async (before, trx) => {
    const after = { ...before };
    if (input.name !== undefined) after.name = input.name;
    if (input.tax_id !== undefined) after.tax_id = input.tax_id;
    if (input.branch !== undefined) after.branch = input.branch;
    if (input.external_id !== undefined) {
      after.external_id = input.external_id;
      after.external_id_folded = foldExternalId(input.external_id);
      const taken = await findMerchantRowByExternalId(trx, after);
      if (taken !== undefined && taken.id !== id) throw new AppError("already_exists", EXTERNAL_ID_TAKEN);
    }
    if (input.metadata !== undefined) {
      const merged = mergeMetadata(readJson<Record<string, string>>(before.metadata_json), input.metadata);
      after.metadata_json = JSON.stringify(merged);
    }
    return after;
  });
  return buildMerchantObject(row);
}

function archiving(archived: 0 | 1) {
  return async (context: Context, id: string, cause: Cause): Promise<MerchantObject> =>
    buildMerchantObject(await change(context, id, cause, async (before) => ({ ...before, archived })));
}

/** Throws `not_found` or `invalid_state`; so does the other. */
export const archiveMerchant = archiving(1);
export const unarchiveMerchant = archiving(0);

/** Attributes of the merchant object that only live keys change once the merchant is live. */
const FILED_UNDER: ReadonlySet<string> = new Set(["tax_id", "branch", "name", "archived"]);

/** Throws `invalid_state` if a test key changes one of these attributes of a live merchant. */
async function requireChangeable(
  session: Session,
  merchant: MerchantRow,
  changes: Readonly<Record<string, unknown>>,
  mode: Mode,
): Promise<void> {
  if (mode === "live" || !Object.keys(changes).some((name) => FILED_UNDER.has(name))) return;
  if (!(await isUsedInMode(session, { id: merchant.id, mode: "live" }))) return;
  throw new AppError("invalid_state", {
    en: "This merchant has a live connection or live documents, so its name, tax number, branch and archiving can only be changed with a live key",
    el: "Η επιχείρηση έχει παραγωγική σύνδεση ή παραγωγικά παραστατικά· η επωνυμία, το ΑΦΜ, η εγκατάσταση και η αρχειοθέτησή της αλλάζουν μόνο με παραγωγικό κλειδί",
    next: { operation: "useLiveMode" },
  });
}

/** Only this many are offered to choose from. */
const MERCHANTS_MAX = 2000;

/** The merchants that are not archived, newest first. */
export async function listActiveMerchants(context: Context): Promise<MerchantObject[]> {
  const found: MerchantObject[] = [];
  for await (const page of everyPage((query) => listMerchants(context, { archived: false, ...query }))) {
    found.push(...page);
    if (found.length >= MERCHANTS_MAX) break;
  }
  return found;
}
