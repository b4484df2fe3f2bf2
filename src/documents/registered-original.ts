/** Reads a document to credit that was not issued here from its provider (docs/contract.md#crediting-a-document-issued-elsewhere). */
import { type ConnectionRow, findActiveConnections } from "../../storage/merchants/connections.ts";
import { findDocumentIdByNumber } from "../../storage/documents/series.ts";
import { findDocumentRow } from "../../storage/documents/documents.ts";
import type { IssuingMerchantRow } from "../../storage/merchants/merchants.ts";
import type { Mode, Provider } from "../../storage/stored-values.ts";
import { MARK_FORM, NOT_A_MARK } from "../domain/document-codes.ts";
import { authorityTypesOf, DOCUMENT_TYPES } from "../domain/document-types.ts";
import { type CreditedContents, readContentsToCredit } from "../domain/credit-registered.ts";
import type { ReadDocumentOutcome } from "../domain/provider-adapter.ts";
import type { RegisteredDocument } from "../domain/provider-documents.ts";
import { AppError, validationError } from "../foundation/errors.ts";
import { textOfError } from "../foundation/stored-texts.ts";
import type { Text } from "../foundation/text.ts";
import { credentialsRefused } from "../issuing/connection-status.ts";
import { callWithPauses, type Pacing } from "../issuing/provider-call.ts";
import type { Context } from "../journal/context.ts";
import { requireIssuingMerchant } from "../merchants/settings.ts";
import { findOriginalRow } from "./originals.ts";

/** Names a document by its MARK. */
export interface MarkOfMerchant {
  mode: Mode;
  /** Its id. */
  merchant: string;
  mark: string;
}

/** A document that was not issued here, as read from its provider. */
export interface RegisteredOriginal extends CreditedContents, MarkOfMerchant {
  /** The credit note goes to it too. */
  provider: Provider;
}

/** The id of the merchant's document with this MARK that was issued here. Throws `validation_failed` if it is not a MARK. */
export async function findOwnOriginal(
  { store }: Context,
  { mode, merchant, mark }: MarkOfMerchant,
): Promise<string | undefined> {
  if (!MARK_FORM.test(mark)) throw validationError([{ path: "mark", message: NOT_A_MARK }]);
  return (await findOriginalRow(store.read, mark, merchant, mode))?.id;
}

/**
 * Reads the document. If the provider asks for a pause, waits with `pacing`, and fails without. Throws `not_found`,
 * `connection_unavailable`, `invalid_state` if it cannot be credited, `provider_unavailable` and
 * `provider_credentials_invalid`. Undefined if interrupted.
 */
export async function readRegisteredOriginal(
  context: Context,
  named: MarkOfMerchant,
  pacing?: Pacing,
): Promise<RegisteredOriginal | undefined> {
  const { mode, merchant: merchantId, mark } = named;
  const merchant = await requireIssuingMerchant(context.store.read, merchantId, mode);
  if (merchant.tax_id === null) throw new AppError("invalid_state", NO_TAX_NUMBER);
  const connection = await findReader(context, merchant, mode);
  const { id: connection_id, provider, merchant_id } = connection;
  const adapter = context.providers.get(provider);
  const subject = { mode, provider, merchant_id, connection_id, document_id: null };
  const outcome = await callWithPauses(context, subject, connection, pacing, (call) =>
    adapter.readDocument!(mark, call),
  );
  if (outcome.kind === "interrupted") return undefined;
  if (outcome.kind !== "found") throw await failureOf(context, connection_id, outcome);
  const { document } = outcome;
  const ownId = await findOwnUnderAnotherMark(context, document, mode);
  if (ownId !== undefined) throw new AppError("invalid_state", anotherMarkOf(ownId));
  const contents = readContentsToCredit(document, merchant.tax_id);
  if ("problem" in contents) throw new AppError("invalid_state", contents.problem);
  return { ...named, ...contents, provider };
}

/** The first of the merchant's connections whose provider shows documents with their lines. */
async function findReader(
  context: Context,
  merchant: IssuingMerchantRow,
  mode: Mode,
): Promise<ConnectionRow> {
  const connections = await findActiveConnections(context.store.read, merchant.id, mode);
  const connection = connections.find(
    ({ provider }) => context.providers.find(provider)?.readDocument !== undefined,
  );
  if (connection === undefined) throw new AppError("connection_unavailable", NO_READER);
  return connection;
}

type Failure = Exclude<ReadDocumentOutcome, { kind: "found" }>;

async function failureOf(context: Context, connection_id: string, outcome: Failure): Promise<AppError> {
  if (outcome.kind === "absent") return new AppError("not_found", ABSENT);
  if (outcome.kind === "credentials_refused")
    return credentialsRefused(context, { connection_id }, outcome.error);
  const { error, retryAfterMs } = outcome;
  const { en, el } = textOfError(error);
  const text = {
    en: `The document could not be read: ${en}. Nothing was issued; try again later`,
    el: `Το παραστατικό δεν διαβάστηκε: ${el}. Δεν εκδόθηκε τίποτα· δοκιμάστε ξανά αργότερα`,
  };
  return new AppError("provider_unavailable", text, {
    provider_code: error.provider_code,
    provider_message: error.provider_message,
    ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)) }),
  });
}

/** Credits count by the MARK that a document has here, and it can have further ones (docs/contract.md#highest-mark-wins). */
async function findOwnUnderAnotherMark(
  { store }: Context,
  { uid, series, number, type: sentType, supplier }: RegisteredDocument,
  mode: Mode,
): Promise<string | undefined> {
  const type = DOCUMENT_TYPES.find((candidate) =>
    authorityTypesOf(candidate).some((one) => one === sentType),
  );
  if (uid === null || series === null || type === undefined || !/^[1-9][0-9]{0,14}$/.test(number ?? ""))
    return undefined;
  const key = { supplier: supplier.code, branch: supplier.branch, type, series, mode };
  const id = await findDocumentIdByNumber(store.read, { ...key, number: Number(number) });
  const row = id === undefined ? undefined : await findDocumentRow(store.read, { id });
  return row?.uid === uid ? row.id : undefined;
}

const NO_TAX_NUMBER: Text = {
  en: "The merchant has no tax number to compare the document's issuer with; set one",
  el: "Η επιχείρηση δεν έχει ΑΦΜ για σύγκριση με τον εκδότη του παραστατικού· ορίστε το",
  next: { operation: "updateMerchant" },
};

const NO_READER: Text = {
  en: "The merchant has no active connection in this mode that can read documents by MARK: connect it to registry_direct, or issue a 5.1 with original_marks and lines of its own",
  el: "Η επιχείρηση δεν έχει σε αυτή τη λειτουργία ενεργή σύνδεση που διαβάζει παραστατικά με το ΜΑΡΚ: συνδέστε την με το registry_direct, ή εκδώστε 5.1 με original_marks και δικές του γραμμές",
  next: { operation: "issueDocument" },
};

const ABSENT: Text = {
  en: "The tax authority shows no document with this MARK for the merchant's account; check the MARK in the authority's own application",
  el: "Η ΑΑΔΕ δεν δείχνει παραστατικό με αυτό το ΜΑΡΚ για τον λογαριασμό της επιχείρησης· ελέγξτε το ΜΑΡΚ στην εφαρμογή της ΑΑΔΕ",
  next: { operation: "reconcileDocuments" },
};

const anotherMarkOf = (id: string): Text => ({
  en: `This is a further MARK of the document ${id}, which was issued here; credit that document`,
  el: `Αυτό είναι ακόμη ένα ΜΑΡΚ του παραστατικού ${id}, που εκδόθηκε εδώ· πιστώστε εκείνο`,
  next: { operation: "creditDocument", id },
});
