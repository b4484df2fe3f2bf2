/**
 * registry_direct: the tax authority's own REST API for ERPs (docs/authority.md). It returns the MARK at once and
 * accepts the same document twice, under a second MARK (docs/authority.md#erp-duplicates). A send that got no answer
 * is therefore looked up in the listing of its day and type before anything is sent again.
 */
import type { CallContext, ProviderAdapter, VerifyOutcome } from "../../domain/provider-adapter.ts";
import { cancelMark, findCancellation } from "./cancel.ts";
import { type Client, type ClientOptions, createClient } from "./client.ts";
import { REGISTRY_DIRECT } from "./description.ts";
import { issueDocuments } from "./issue.ts";
import { listDocuments, listRefusals, listVatFigures } from "./lists.ts";
import { listTransmitted, queryMarks, reconcileDocuments } from "./lookup.ts";
import { buildInvoicesDoc } from "./payload.ts";
import { checkForRegistry } from "./precheck.ts";
import { readDocument } from "./read-document.ts";

export interface RegistryDirectOptions extends ClientOptions {
  /**
   * How long a document must be missing from the listing before it is sent again. How late documents are listed is
   * not published.
   */
  settleSeconds: number;
}

/** Lookups that must find nothing, because one listing may be out of date. */
const SETTLE_ASKINGS = 3;

export function createRegistryDirect(options: RegistryDirectOptions): ProviderAdapter {
  const client = createClient(options);
  return {
    ...REGISTRY_DIRECT,
    settle: { askings: SETTLE_ASKINGS, seconds: options.settleSeconds },
    check: (document) => ({ ...checkForRegistry(document), code: "validation_failed" }),
    buildPayload: (document) => buildInvoicesDoc([document]),
    issue: (documents, call) => issueDocuments(client, call, documents),
    status: (documents, call) => queryMarks(client, call, documents),
    reconcile: (documents, call) => reconcileDocuments(client, call, documents),
    cancel: (document, call) => cancelMark(client, call, document),
    findCancellation: (document, call) => findCancellation(client, call, document),
    fetchPdf: async () => ({ kind: "none" }),
    listDocuments: (query, call) => listDocuments(client, call, query),
    listVatFigures: (query, call) => listVatFigures(client, call, query),
    listRefusals: (query, call) => listRefusals(client, call, query),
    readDocument: (mark, call) => readDocument(client, call, mark),
    verify: (call) => verify(client, call),
  };
}

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
