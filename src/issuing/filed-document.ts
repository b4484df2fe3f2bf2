/** Loads a document with its adapter, to look up or cancel its registrations at the provider. */
import { findFirstSend } from "../../storage/logs/calls.ts";
import { type DocumentRow, findDocumentInput, findDocumentRow } from "../../storage/documents/documents.ts";
import type { ProviderAdapter, SentDocument } from "../domain/provider-adapter.ts";
import type { Context } from "../journal/context.ts";
import { buildSent, parseAccepted } from "./outgoing.ts";

export interface FiledDocument {
  row: DocumentRow;
  document: SentDocument;
  adapter: ProviderAdapter;
}

export async function loadFiledDocument({ store, providers }: Context, id: string): Promise<FiledDocument> {
  const row = await findDocumentRow(store.read, id);
  const input = await findDocumentInput(store.read, id);
  if (row === undefined || input === undefined) throw new Error(`The document ${id} is gone`);
  const submittedAt = (await findFirstSend(store.read, id)) ?? row.created_at;
  return {
    row,
    document: buildSent(row, parseAccepted(input), submittedAt),
    adapter: providers.get(row.provider),
  };
}
