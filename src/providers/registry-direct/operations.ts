/** The network operations of registry_direct, loaded with the XML library on first use. */
import type { CallContext, ProviderAdapter, VerifyOutcome } from "../../domain/provider-adapter.ts";
import { cancelMark, findCancellation } from "./cancel.ts";
import { type Client, type ClientOptions, createClient } from "./client.ts";
import { issueDocuments } from "./issue.ts";
import { listDocuments, listRefusals, listVatFigures } from "./lists.ts";
import { queryMarks, reconcileDocuments } from "./reconcile.ts";
import { readDocument } from "./read-document.ts";
import { listTransmitted } from "./transmitted.ts";

/** MARKs have 15 digits and start with 4, so no listing has anything above this one. */
const ABOVE_ALL_MARKS = "999999999999999";

/**
 * An empty listing is the cheapest request that needs the account. It proves the user id and the key, not that the
 * account may issue for a tax number; that shows with the first document (errors 105, 201).
 */
async function verify(client: Client, call: CallContext): Promise<VerifyOutcome> {
  const listing = await listTransmitted(client, call, call.evidence, { above: ABOVE_ALL_MARKS });
  if (listing.kind === "listed") return { kind: "accepted" };
  if (listing.kind === "credentials_refused") return { kind: "refused", error: listing.error };
  return { kind: "unavailable", error: listing.error };
}

/** The adapter's methods that call the authority. */
export type RegistryOperations = Pick<
  ProviderAdapter,
  "issue" | "status" | "reconcile" | "cancel" | "findCancellation" | "verify"
> &
  Required<Pick<ProviderAdapter, "listDocuments" | "listVatFigures" | "listRefusals" | "readDocument">>;

export function createOperations(options: ClientOptions): RegistryOperations {
  const client = createClient(options);
  return {
    issue: (documents, call) => issueDocuments(client, call, documents),
    status: (documents, call) => queryMarks(client, call, documents),
    reconcile: (documents, call) => reconcileDocuments(client, call, documents),
    cancel: (document, call) => cancelMark(client, call, document),
    findCancellation: (document, call) => findCancellation(client, call, document),
    listDocuments: (query, call) => listDocuments(client, call, query),
    listVatFigures: (query, call) => listVatFigures(client, call, query),
    listRefusals: (query, call) => listRefusals(client, call, query),
    readDocument: (mark, call) => readDocument(client, call, mark),
    verify: (call) => verify(client, call),
  };
}
