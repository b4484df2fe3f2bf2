/** The document that `fiscal documents credit` credits: one that was issued here, or one that its provider shows by MARK. */
import type { Appliance } from "../../src/appliance.ts";
import { ownOriginal, type ReadOriginal, registeredOriginal } from "../../src/documents/credit.ts";
import { getDocument } from "../../src/documents/list-documents.ts";
import { findOwnOriginal, readRegisteredOriginal } from "../../src/documents/registered-original.ts";
import { sameInBoth, type Text } from "../../src/foundation/text.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import { InterruptedError, UsageError } from "../exit.ts";
import type { ProgramIo } from "../io.ts";
import { findMerchant, type MerchantOption } from "../merchants/find-merchant.ts";
import { pacingFor } from "../pacing.ts";
import { formatNumber } from "../../src/operations/document-view.ts";
import { findDocument } from "./find-document.ts";

export interface TargetOptions extends MerchantOption {
  mark?: string;
}

/** Throws UsageError unless exactly one of the two names the document. */
export function requireOneName(name: string | undefined, { mark, merchant }: TargetOptions): void {
  if (name === undefined && mark === undefined)
    throw new UsageError({
      en: "the document is missing: name it by its id, external reference, series and number or MARK, or by --mark if it was not issued here",
      el: "λείπει το παραστατικό: ορίστε το με το id, την εξωτερική αναφορά, τη σειρά και τον αριθμό ή το ΜΑΡΚ του, ή με --mark αν δεν εκδόθηκε εδώ",
    });
  if (name !== undefined && mark !== undefined)
    throw new UsageError({
      en: "the document and --mark contradict each other: --mark is for one that was not issued here",
      el: "το παραστατικό και η --mark αντιφάσκουν: η --mark είναι για όσα δεν εκδόθηκαν εδώ",
    });
  if (mark !== undefined && merchant === undefined)
    throw new UsageError({
      en: "--mark needs --merchant: the merchant that issued the document",
      el: "η --mark χρειάζεται --merchant: την επιχείρηση που εξέδωσε το παραστατικό",
    });
}

export interface CreditTarget {
  original: ReadOriginal;
  name: Text;
  /** What identifies it in the fingerprint of an idempotency key. */
  parameters: Record<string, string>;
}

/** Throws what finding or reading the document throws, and InterruptedError. */
export async function findTarget(
  { io, appliance, mode, signal }: { io: ProgramIo; appliance: Appliance; mode: Mode; signal: AbortSignal },
  name: string | undefined,
  options: TargetOptions,
): Promise<CreditTarget> {
  const { mark, merchant: merchantName } = options;
  if (name !== undefined)
    return ownTarget(appliance, mode, await findDocument(appliance, mode, name, options));
  if (mark === undefined || merchantName === undefined) throw new Error("The document to credit has no name");
  const named = { mode, merchant: (await findMerchant(appliance, merchantName)).id, mark };
  const ownId = await findOwnOriginal(appliance, named);
  if (ownId !== undefined) return ownTarget(appliance, mode, await getDocument(appliance, mode, ownId));
  const registered = await readRegisteredOriginal(appliance, named, pacingFor(io, signal));
  if (registered === undefined)
    throw new InterruptedError({
      en: "interrupted: nothing was issued",
      el: "διακόπηκε: δεν εκδόθηκε τίποτα",
    });
  return {
    original: registeredOriginal(registered),
    name: { en: `MARK ${mark}`, el: `ΜΑΡΚ ${mark}` },
    parameters: { merchant: named.merchant, mark },
  };
}

function ownTarget(appliance: Appliance, mode: Mode, document: DocumentObject): CreditTarget {
  return {
    original: ownOriginal(appliance, mode, document.id),
    name: sameInBoth(formatNumber(document)),
    parameters: { id: document.id },
  };
}
