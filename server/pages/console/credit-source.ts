/** The document that a credit form is about: one that was issued here, or one that its provider shows by its MARK. */
import { TEXTS } from "./messages.ts";
import { ownOriginal } from "../../../src/documents/credit.ts";
import { type ReadOriginal, registeredOriginal } from "../../../src/documents/credit-original.ts";
import { getDocument } from "../../../src/documents/list-documents.ts";
import { findOwnOriginal, readRegisteredOriginal } from "../../../src/documents/registered-original.ts";
import { getMerchant } from "../../../src/merchants/merchants.ts";
import { documentLink, documentName, documentPath } from "./document-parts.ts";
import { joinTexts, sameInBoth, type Text } from "../../../src/foundation/text.ts";
import { html, type Markup } from "../markup.ts";
import type { Visit } from "./visit.ts";

export interface CreditSource {
  original: ReadOriginal;
  merchantName: string;
  name: Text;
  link: Markup;
  /** The form posts below this path. */
  path: string;
  /** Where its link without changes leads. */
  back: string;
  /** What names it, in hidden fields and in the fingerprint of an idempotency key. */
  names: Record<string, string>;
}

export function creditPathOf(id: string): string {
  return `${documentPath(id)}/credit`;
}

/** The form for a document that was not issued here. */
export const ELSEWHERE_PATH = "/console/credit";

/** The document of the path. Throws `not_found`. */
export async function findOwnSource({ appliance, mode, params }: Visit): Promise<CreditSource> {
  const document = await getDocument(appliance, mode, params["id"] ?? "");
  const { name: merchantName } = await getMerchant(appliance, document.merchant);
  return {
    original: ownOriginal(appliance, mode, document.id),
    merchantName,
    name: documentName(document),
    link: documentLink(document),
    path: creditPathOf(document.id),
    back: documentPath(document.id),
    names: { id: document.id },
  };
}

export function readNames({ form }: Visit): { merchant: string; mark: string } {
  return { merchant: (form.get("merchant") ?? "").trim(), mark: (form.get("mark") ?? "").trim() };
}

/** Reads the document that the form names from its provider, or returns the id of one that was issued here. */
export async function findSourceElsewhere(visit: Visit): Promise<CreditSource | { ownId: string }> {
  const { appliance, mode } = visit;
  const names = readNames(visit);
  const { name: merchantName } = await getMerchant(appliance, names.merchant);
  const ownId = await findOwnOriginal(appliance, { mode, ...names });
  if (ownId !== undefined) return { ownId };
  const registered = await readRegisteredOriginal(appliance, { mode, ...names });
  if (registered === undefined) throw new Error("A reading without pauses was interrupted");
  const name = joinTexts([TEXTS.mark, sameInBoth(names.mark)], " ");
  return {
    original: registeredOriginal(registered),
    merchantName,
    name,
    link: html`${name}`,
    path: ELSEWHERE_PATH,
    back: ELSEWHERE_PATH,
    names,
  };
}
