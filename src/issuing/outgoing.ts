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
}

function buildOutgoing(row: DocumentRow, input: DocumentInputRow, firstFreeNumber: number): OutgoingDocument {
  const decided = readJson<Decided>(input.decided_json);
  return {
    id: row.id,
    mode: row.mode,
    input: readJson<CanonicalDocument>(input.input_json),
    sentType: decided.sentType,
    classifications: decided.classifications,
    payments: decided.payments,
    series: row.series,
    number: row.number,
    uid: row.uid,
    metadata: readJson<Record<string, string>>(row.metadata_json),
    connectionWasLost: row.connection_lost === 1,
    firstFreeNumber,
  };
}

/** `submittedAt`: when its first send began. `firstFreeNumber` matters only for sends to providers that number. */
export function buildSent(
  row: DocumentRow,
  input: DocumentInputRow,
  submittedAt: string,
  firstFreeNumber = 1,
): SentDocument {
  return {
    ...buildOutgoing(row, input, firstFreeNumber),
    providerRef: row.provider_ref,
    mark: row.mark,
    polls: row.polls,
    submittedAt,
  };
}
