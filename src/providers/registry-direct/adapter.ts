/**
 * registry_direct: the tax authority's own REST API, channel of the ERP (mydata facts). It gives the MARK with the answer, and
 * does not refuse a second send: the same document again is registered again, under another MARK. So a send without an
 * answer is looked for in the listing of its day and type before anything is sent again.
 */
import type { ProviderAdapter } from "../../domain/provider-adapter.ts";
import type { ClientOptions } from "./client.ts";
import { REGISTRY_DIRECT } from "./description.ts";
import type { RegistryOperations } from "./operations.ts";
import { buildInvoicesDoc } from "./payload.ts";
import { checkForRegistry } from "./precheck.ts";

export interface RegistryDirectOptions extends ClientOptions {
  /** For how long a document must be missing in the listing before it is sent again; how late it is listed is not published. */
  settleSeconds: number;
}

/** Also this often: one listing may be a stale one. */
const SETTLE_ASKINGS = 3;

export function createRegistryDirect(options: RegistryDirectOptions): ProviderAdapter {
  let opened: Promise<RegistryOperations> | undefined;
  const open = async () => (await import("./operations.ts")).createOperations(options);
  const operations = () => (opened ??= open());
  return {
    ...REGISTRY_DIRECT,
    settle: { askings: SETTLE_ASKINGS, seconds: options.settleSeconds },
    check: (document, { sentType }) => ({
      ...checkForRegistry(document, sentType),
      code: "validation_failed",
    }),
    buildPayload: (document) => buildInvoicesDoc([document]),
    issue: async (documents, call) => (await operations()).issue(documents, call),
    status: async (documents, call) => (await operations()).status(documents, call),
    reconcile: async (documents, call) => (await operations()).reconcile(documents, call),
    cancel: async (document, call) => (await operations()).cancel(document, call),
    findCancellation: async (document, call) => (await operations()).findCancellation(document, call),
    fetchPdf: async () => ({ kind: "none" }),
    verify: async (call) => (await operations()).verify(call),
  };
}
