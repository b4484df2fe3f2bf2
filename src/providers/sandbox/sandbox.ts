/**
 * The sandbox: a provider inside the process, for test keys (docs/contract.md#sandbox). Like the registry it builds
 * the same payload, files durably and accepts a uid twice; it returns the MARK at the first query about the document.
 */
import type { ProviderAdapter } from "../../domain/provider-adapter.ts";
import type { BuiltInHost } from "../built-in-provider.ts";
import { buildInvoicesDoc } from "../registry-direct/payload.ts";
import { checkForRegistry } from "../registry-direct/precheck.ts";
import { cancelMark, findCancellation } from "./cancel.ts";
import { SANDBOX } from "./description.ts";
import { createDurableLedger } from "./durable-ledger.ts";
import { listDocuments } from "./list-documents.ts";
import { createIssue } from "./issue.ts";
import { askForMarks, reconcileDocuments } from "./lookup.ts";
import type { SandboxOptions } from "./simulated-exchange.ts";

/** The sandbox of an appliance, with its ledger in the database. */
export function openSandbox(
  host: Pick<BuiltInHost, "store" | "publicUrl" | "isSandboxStrict">,
): ProviderAdapter {
  const { store, publicUrl, isSandboxStrict: isStrict } = host;
  return createSandbox({ ledger: createDurableLedger(store), publicUrl, isStrict });
}

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
