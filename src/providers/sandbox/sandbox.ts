/**
 * The sandbox: a provider inside the process, for test keys (docs/contract.md#sandbox). Like the registry it builds
 * the same payload, files durably and accepts a uid twice; it returns the MARK at the first query about the document.
 */
import type { ProviderAdapter } from "../../domain/provider-adapter.ts";
import { buildInvoicesDoc } from "../registry-direct/payload.ts";
import { checkForRegistry } from "../registry-direct/precheck.ts";
import { cancelMark, findCancellation, listDocuments, askForMarks, reconcileDocuments } from "./lookup.ts";
import { SANDBOX } from "./description.ts";
import { createIssue } from "./issue.ts";
import type { SandboxOptions } from "./simulated-exchange.ts";

export function createSandbox(options: SandboxOptions): ProviderAdapter {
  return {
    ...SANDBOX,
    check: (document) => ({ ...checkForRegistry(document), code: "validation_failed" }),
    // The ledger is read in order with its writes, so a missing filing is certain at once.
    settle: { askings: 1, seconds: 0 },
    buildPayload: (document) => buildInvoicesDoc([document]),
    issue: createIssue(options),
    status: (documents, call) => askForMarks(options, call, documents),
    reconcile: (documents, call) => reconcileDocuments(options, call, documents),
    cancel: (document, call) => cancelMark(options, call, document),
    findCancellation: (document, call) => findCancellation(options, call, document),
    fetchPdf: async () => ({ kind: "none" }),
    listDocuments: (query, call) => listDocuments(options, call, query),
    verify: async () => ({ kind: "accepted" }),
  };
}
