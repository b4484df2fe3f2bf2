/** Builds the document that an adapter receives from the stored rows. */
import {
  type DocumentInputRow,
  type DocumentRow,
  getDocumentInput,
  findDocumentRow,
} from "../../storage/documents/documents.ts";
import type { KeyedSession } from "../../storage/database/session.ts";
import { readJson } from "../foundation/json.ts";
import type { SentDocument, ProviderAdapter } from "../domain/provider-adapter.ts";
import type { CanonicalDocument, Payment } from "../domain/canonical-document.ts";
import { findFirstSend } from "../../storage/logs/logs.ts";
import type { Context } from "../journal/context.ts";

/** Decisions made when the document was accepted; they never change. */
export interface Decided {
  sentType: string;
  classifications: { category: string; type: string | null }[];
  payments: Payment[];
  /** Absent if false. */
  vatPaymentSuspension?: true;
}

/** The document as it was accepted, with the decisions made then. */
export interface Accepted {
  document: CanonicalDocument;
  decided: Decided;
}

/** Throws SyntaxError if the stored text is damaged. */
export function parseAccepted({ input_json, decided_json }: DocumentInputRow): Accepted {
  return { document: readJson<CanonicalDocument>(input_json), decided: readJson<Decided>(decided_json) };
}

export async function readAccepted(session: KeyedSession, id: string): Promise<Accepted> {
  return parseAccepted(await getDocumentInput(session, id));
}

/** Conditions of a send that are not on the document. */
export interface SendConditions {
  /** Matters only for providers that number. */
  firstFreeNumber: number;
  /** An earlier send of the document got no answer and was not found. */
  wasNotFound: boolean;
}

const NOT_A_SEND: SendConditions = { firstFreeNumber: 1, wasNotFound: false };

/** `submittedAt`: when its first send began. */
export function buildSent(
  row: DocumentRow,
  { document, decided }: Accepted,
  submittedAt: string,
  conditions: SendConditions = NOT_A_SEND,
): SentDocument {
  return {
    id: row.id,
    mode: row.mode,
    input: document,
    sentType: decided.sentType,
    classifications: decided.classifications,
    payments: decided.payments,
    vatPaymentSuspension: decided.vatPaymentSuspension === true,
    series: row.series,
    number: row.number,
    uid: row.uid,
    metadata: readJson<Record<string, string>>(row.metadata_json),
    ...conditions,
    providerRef: row.provider_ref,
    mark: row.mark,
    polls: row.polls,
    submittedAt,
  };
}

/** A document as its send left it, for the first query about it. */
export function buildAsked(
  sent: SentDocument,
  { series, number, uid, provider_ref: providerRef }: DocumentRow,
): SentDocument {
  return { ...sent, ...NOT_A_SEND, series, number, uid, providerRef };
}

export interface FiledDocument {
  row: DocumentRow;
  document: SentDocument;
  adapter: ProviderAdapter;
}

export async function loadFiledDocument({ store, providers }: Context, id: string): Promise<FiledDocument> {
  const row = await findDocumentRow(store.read, { id });
  if (row === undefined) throw new Error(`The document ${id} is gone`);
  const submittedAt = (await findFirstSend(store.read, id)) ?? row.created_at;
  return {
    row,
    document: buildSent(row, await readAccepted(store.read, id), submittedAt),
    adapter: providers.get(row.provider),
  };
}
