/**
 * registry_direct: the tax authority's own REST API for ERPs (docs/authority.md). It returns the MARK at once and
 * accepts the same document twice, under a second MARK (docs/authority.md#erp-duplicates). A send that got no answer
 * is therefore looked up in the listing of its day and type before anything is sent again.
 */
import type { ProviderAdapter } from "../../domain/provider-adapter.ts";
import type { ClientOptions } from "./client.ts";
import { REGISTRY_DIRECT } from "./description.ts";
import type { RegistryOperations } from "./operations.ts";
import { buildInvoicesDoc } from "./payload.ts";
import { checkForRegistry } from "./precheck.ts";

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
  let opened: Promise<RegistryOperations> | undefined;
  const open = async () => (await import("./operations.ts")).createOperations(options);
  const operations = () => (opened ??= open());
  return {
    ...REGISTRY_DIRECT,
    settle: { askings: SETTLE_ASKINGS, seconds: options.settleSeconds },
    check: (document) => ({ ...checkForRegistry(document), code: "validation_failed" }),
    buildPayload: (document) => buildInvoicesDoc([document]),
    issue: async (documents, call) => (await operations()).issue(documents, call),
    status: async (documents, call) => (await operations()).status(documents, call),
    reconcile: async (documents, call) => (await operations()).reconcile(documents, call),
    cancel: async (document, call) => (await operations()).cancel(document, call),
    findCancellation: async (document, call) => (await operations()).findCancellation(document, call),
    fetchPdf: async () => ({ kind: "none" }),
    listDocuments: async (query, call) => (await operations()).listDocuments(query, call),
    listVatFigures: async (query, call) => (await operations()).listVatFigures(query, call),
    listRefusals: async (query, call) => (await operations()).listRefusals(query, call),
    readDocument: async (mark, call) => (await operations()).readDocument(mark, call),
    verify: async (call) => (await operations()).verify(call),
  };
}
