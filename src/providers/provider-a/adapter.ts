/**
 * provider_a: the licensed provider described in docs/provider-a.md. It takes one document at a time, dates and
 * numbers it itself, and stores it under our document id, which is unique there: a send that got no answer is read
 * back by that id, and a second send is refused. Issued documents cannot be cancelled, only credited.
 */
import type { ProviderAdapter } from "../../domain/provider-adapter.ts";
import { PROVIDER_A } from "./description.ts";
import {
  buildPayload,
  CHECK_WITHHELD,
  checkForProviderA,
  SUSPENSION_IS_NOT_SENT,
  UNSUPPORTED_CODE,
} from "./payload.ts";
import { type ProviderAOperations, type ProviderAOptions } from "./operations.ts";

/**
 * What it accepts shows at once under our id; that it accepted nothing is certain only after several lookups
 * (docs/provider-a.md#lost-sends).
 */
const SETTLE = { askings: 3, seconds: 120 } as const;

function neverCancelled(): never {
  throw new Error("provider_a cannot cancel a document: it is credited instead");
}

export function createProviderA(options: ProviderAOptions): ProviderAdapter {
  let opened: Promise<ProviderAOperations> | undefined;
  const open = async () => (await import("./operations.ts")).createOperations(options);
  const operations = () => (opened ??= open());
  return {
    ...PROVIDER_A,
    settle: SETTLE,
    check: (document, { today, vatPaymentSuspension }) => ({
      problems: checkForProviderA(document, today),
      warnings: [
        ...(vatPaymentSuspension ? [SUSPENSION_IS_NOT_SENT] : []),
        ...(document.taxes === undefined ? [] : [CHECK_WITHHELD]),
      ],
      code: UNSUPPORTED_CODE,
    }),
    buildPayload: (document) => buildPayload(document),
    issue: async (documents, call) => (await operations()).issue(documents, call),
    status: async (documents, call) => (await operations()).status(documents, call),
    reconcile: async (documents, call) => (await operations()).reconcile(documents, call),
    cancel: neverCancelled,
    findCancellation: neverCancelled,
    fetchPdf: async (document, call) => (await operations()).fetchPdf(document, call),
    listDocuments: async (query, call) => (await operations()).listDocuments(query, call),
    verify: async (call) => (await operations()).verify(call),
  };
}
