/** Builds the document that an adapter receives from the stored rows. */
import type { DocumentInputRow, DocumentRow } from "../../storage/documents.ts";
import { readJson } from "../foundation/json.ts";
import type { OutgoingDocument, SentDocument } from "../domain/provider-adapter.ts";
import type { CanonicalDocument, Payment } from "../domain/canonical-document.ts";

/** Decisions made when the document was accepted; they never change. */
export interface Decided {
  sentType: string;
  classifications: { category: string; type: string | null }[];
  payments: Payment[];
  /** Absent if false. */
  vatPaymentSuspension?: true;
}

/** Conditions of a send that are not on the document. */
export interface SendConditions {
  /** Matters only for providers that number. */
  firstFreeNumber: number;
  /** An earlier send of the document got no answer and was not found. */
  wasNotFound: boolean;
}

const NOT_A_SEND: SendConditions = { firstFreeNumber: 1, wasNotFound: false };

function buildOutgoing(
  row: DocumentRow,
  input: DocumentInputRow,
  conditions: SendConditions,
): OutgoingDocument {
  const decided = readJson<Decided>(input.decided_json);
  return {
    id: row.id,
    mode: row.mode,
    input: readJson<CanonicalDocument>(input.input_json),
    sentType: decided.sentType,
    classifications: decided.classifications,
    payments: decided.payments,
    vatPaymentSuspension: decided.vatPaymentSuspension === true,
    series: row.series,
    number: row.number,
    uid: row.uid,
    metadata: readJson<Record<string, string>>(row.metadata_json),
    ...conditions,
  };
}

/** `submittedAt`: when its first send began. */
export function buildSent(
  row: DocumentRow,
  input: DocumentInputRow,
  submittedAt: string,
  conditions: SendConditions = NOT_A_SEND,
): SentDocument {
  return {
    ...buildOutgoing(row, input, conditions),
    providerRef: row.provider_ref,
    mark: row.mark,
    polls: row.polls,
    submittedAt,
  };
}
