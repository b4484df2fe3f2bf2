/**
 * Shows and replaces a merchant's settings, which each mode has its own of (docs/contract.md#settings-per-mode), and stores letterheads:
 * what a PDF shows of the merchant. Each document refers to the letterhead under which it was accepted, so that an old document shows the
 * old address. One is built after a change of the merchant, not for each document.
 */
import { isId } from "../../storage/database/ids.ts";
import {
  findIssuingMerchantRow,
  type IssuingMerchantRow,
  saveSettings,
  findLetterhead,
  insertLetterhead as insertLetterheadRow,
} from "../../storage/merchants/merchants.ts";
import type { Session } from "../../storage/database/session.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { validationError } from "../foundation/errors.ts";
import { readInThread } from "../foundation/file-thread.ts";
import type { Text } from "../foundation/text.ts";
import { checkWith } from "../foundation/validation.ts";
import type { CleanLogo } from "./clean-logo.ts";
import { readLogo, dataUrlOf, problemsWithBranches } from "./paper-input.ts";
import { type SettingsInput, SettingsSchema } from "./merchant-object.ts";
import { noSuchMerchant } from "./merchants.ts";
import { readJson } from "../foundation/json.ts";
import { createHash } from "node:crypto";
import type { DocumentInputRow } from "../../storage/documents/documents.ts";
import type { Transaction } from "../../storage/database/write.ts";

/** Returns the merchant with its settings for `mode`. Throws `not_found`. */
export async function requireIssuingMerchant(
  session: Session,
  id: string,
  mode: Mode,
): Promise<IssuingMerchantRow> {
  const row = isId(id, "mer") ? await findIssuingMerchantRow(session, { id, mode }) : undefined;
  if (row === undefined) throw noSuchMerchant();
  return row;
}

/** Throws `not_found`. */
export async function getSettings(context: Context, id: string, mode: Mode): Promise<Settings> {
  return readSettings((await requireIssuingMerchant(context.store.read, id, mode)).settings_json);
}

/**
 * Replaces all settings of `mode`. They are not part of the merchant object, so this has no event. Throws `validation_failed`,
 * `not_found`, or `service_unavailable` where too many logos are being decoded.
 */
export async function putSettings(
  context: Context,
  id: string,
  body: unknown,
  mode: Mode,
): Promise<Settings> {
  const checked = checkWith(SettingsSchema, body, "");
  const problems = [...("problems" in checked ? checked.problems : []), ...problemsWithBranches(body)];
  if ("problems" in checked || problems.length > 0) throw validationError(problems);
  const settings = checked.output;
  if (settings.on_issue === "mail" && context.config.mail.host === "")
    throw validationError([{ path: "on_issue", message: NO_MAIL_SERVER }]);
  await requireIssuingMerchant(context.store.read, id, mode);
  const settingsJson = storeSettings(settings, await readCleanLogo(settings.paper?.logo));
  await context.store.write(async (trx) => {
    const before = await requireIssuingMerchant(trx, id, mode);
    if (before.settings_json !== settingsJson)
      await saveSettings(trx, { merchant_id: id, mode, settings_json: settingsJson, letterhead_id: null });
  });
  return readSettings(settingsJson);
}

const NO_MAIL_SERVER: Text = {
  en: "cannot be mail without a mail server: set mail.host and mail.from in the configuration first",
  el: "δεν μπορεί να είναι mail χωρίς διακομιστή αλληλογραφίας: ορίστε πρώτα τα mail.host και mail.from στο αρχείο ρυθμίσεων",
};

/** Replaces single settings of `mode`, unchecked ones too. Throws what `putSettings` throws. */
export async function changeSettings(
  context: Context,
  id: string,
  mode: Mode,
  changes: { readonly [Name in keyof Settings]?: unknown },
): Promise<Settings> {
  return putSettings(context, id, { ...(await getSettings(context, id, mode)), ...changes }, mode);
}

/** Decodes the logo in the thread that reads files. */
async function readCleanLogo(text: string | undefined): Promise<CleanLogo | undefined> {
  if (text === undefined) return undefined;
  const bytes = readLogo(text);
  const logo = "problem" in bytes ? bytes : await decodeLogo(bytes);
  if ("problem" in logo) throw validationError([{ path: "paper.logo", message: logo.problem }]);
  return logo;
}

async function decodeLogo(bytes: Buffer): Promise<CleanLogo | { problem: Text }> {
  for await (const logo of readInThread({ job: "logo", bytes })) return logo as CleanLogo | { problem: Text };
  throw new Error("The thread that decodes logos returned nothing");
}

/** The settings that the API returns. Parts that were never set are empty. */
export type Settings = Required<SettingsInput>;

/** What PDFs show of the merchant, in addition to its name. */
export type Paper = Omit<Settings["paper"], "logo"> & {
  /** A PNG or JPEG file in base64, decoded and encoded again by clean-logo.ts. */
  logo?: string | undefined;
};

interface StoredSettings extends SettingsInput {
  clean_logo?: string;
}

export const NO_SETTINGS: Settings = {
  classification: {},
  numbering: {},
  paper: {},
  vat_payment_suspension: false,
  on_issue: "nothing",
  closed_until: null,
};

/** Reads a value of `settings_json`; null if none was ever set. */
function readStored(settingsJson: string | null): StoredSettings {
  return settingsJson === null ? {} : readJson<StoredSettings>(settingsJson);
}

export function readSettings(settingsJson: string | null): Settings {
  const { clean_logo: _asEmbedded, ...stored } = readStored(settingsJson);
  return { ...NO_SETTINGS, ...stored };
}

export function readPaper(settingsJson: string | null): Paper {
  const { paper = {}, clean_logo: logo } = readStored(settingsJson);
  const { logo: _asSent, ...rest } = paper;
  return logo === undefined ? rest : { ...rest, logo };
}

/** The value of `settings_json`. The logo is stored without the metadata that it was sent with. */
function storeSettings(settings: SettingsInput, logo: CleanLogo | undefined): string {
  if (logo === undefined) return JSON.stringify(settings);
  const form = dataUrlOf(settings.paper?.logo ?? "");
  const stored: StoredSettings = {
    ...settings,
    paper: { ...settings.paper, logo: form + base64Of(logo.sent) },
    clean_logo: base64Of(logo.embedded),
  };
  return JSON.stringify(stored);
}

function base64Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

export interface Letterhead {
  name: string;
  paper: Paper;
}

function buildLetterhead(merchant: IssuingMerchantRow): Letterhead {
  // The format is today's: it is no part of what a document says.
  const { receipt: _receipt, ...paper } = readPaper(merchant.settings_json);
  return { name: merchant.name, paper };
}

/** Returns the id of the merchant's current letterhead in the mode. The first document accepted under it inserts it. */
export async function insertLetterhead(
  trx: Transaction,
  merchant: IssuingMerchantRow,
  mode: Mode,
): Promise<number> {
  if (merchant.letterhead_id !== null) return merchant.letterhead_id;
  const contentJson = JSON.stringify(buildLetterhead(merchant));
  const digest = createHash("sha256").update(contentJson).digest();
  return insertLetterheadRow(trx, { merchantId: merchant.id, mode, digest, contentJson });
}

/**
 * Returns the letterhead under which a document was accepted. If the merchant had no paper settings at that time, it has the
 * current ones: no earlier print can contradict them. `merchant` has the settings of the document's mode.
 */
export async function findLetterheadOf(
  session: Session,
  input: DocumentInputRow,
  merchant: IssuingMerchantRow,
): Promise<Letterhead> {
  const current = buildLetterhead(merchant);
  if (input.letterhead_id === null) return current;
  const row = await findLetterhead(session, { id: input.letterhead_id });
  if (row === undefined) throw new Error(`The letterhead of the document ${input.document_id} is missing`);
  const accepted = readJson<Letterhead>(row.content_json);
  return Object.keys(accepted.paper).length === 0 ? { ...accepted, paper: current.paper } : accepted;
}
