/**
 * registry_direct: the tax authority's own REST API, channel of the ERP (mydata facts). It gives the MARK with the answer, and
 * does not refuse a second send: the same document again is registered again, under another MARK. So a send without an
 * answer is looked for in the listing of its day and type before anything is sent again.
 */
import type { CallContext, ProviderAdapter, VerifyOutcome } from "../adapter.ts";
import { cancelMark, findCancellation } from "./cancel.ts";
import { type Client, type ClientOptions, createClient } from "./client.ts";
import { CREDENTIALS_FORM } from "./form.ts";
import { issueDocuments } from "./issue.ts";
import { DOCUMENTS_MAX } from "./messages.ts";
import { buildInvoicesDoc } from "./payload.ts";
import { checkForRegistry } from "./precheck.ts";
import { askForMarks, reconcileDocuments } from "./reconcile.ts";
import { listTransmitted } from "./transmitted.ts";

export interface RegistryDirectOptions extends ClientOptions {
  /** For how long a document must be missing in the listing before it is sent again; how late it is listed is not published. */
  settleSeconds: number;
}

/** Also this often: one listing may be a stale one. */
const SETTLE_ASKINGS = 3;

/** MARKs have 15 digits and begin with 4: nothing is listed above this one, whatever the account holds. */
const ABOVE_ALL_MARKS = "999999999999999";

/**
 * An empty listing is the cheapest question that needs the account. It proves the user id and the key, and not that the account
 * may issue for a tax number: that shows with the first document (its errors 105, 201, 236).
 */
async function verify(client: Client, call: CallContext): Promise<VerifyOutcome> {
  const listing = await listTransmitted(client, call, call.evidence, { above: ABOVE_ALL_MARKS });
  if (listing.kind === "listed") return { kind: "accepted" };
  if (listing.kind === "credentials_refused") return { kind: "refused", error: listing.error };
  return { kind: "unavailable", error: listing.error };
}

export function createRegistryDirect(options: RegistryDirectOptions): ProviderAdapter {
  const client = createClient(options);
  return {
    provider: "registry_direct",
    numbering: "ours",
    issueBatchMax: DOCUMENTS_MAX,
    canCancel: true,
    credentials: CREDENTIALS_FORM,
    settle: { askings: SETTLE_ASKINGS, seconds: options.settleSeconds },
    check: (document, { sentType }) => ({
      ...checkForRegistry(document, sentType),
      code: "validation_failed",
    }),
    buildPayload: (document) => buildInvoicesDoc([document]),
    issue: (documents, call) => issueDocuments(client, call, documents),
    status: (documents, call) => askForMarks(client, call, documents),
    reconcile: (documents, call) => reconcileDocuments(client, call, documents),
    cancel: (document, call) => cancelMark(client, call, document),
    findCancellation: (document, call) => findCancellation(client, call, document),
    // The authority has a page for each document (its QR address), and no PDF.
    fetchPdf: async () => ({ kind: "none" }),
    verify: (call) => verify(client, call),
  };
}
