/** The page behind the `qr_url` of a sandbox document: shows what was filed, but nothing about the parties. */
import type { Context } from "../../src/journal/context.ts";
import { findSandboxDocument } from "../../src/documents/list-documents.ts";
import { typeInfo } from "../../src/domain/document-types.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { joinTexts, sameInBoth, type Text } from "../../src/foundation/text.ts";
import { formatDay, formatMoney } from "./console/format.ts";
import { html } from "./markup.ts";
import type { Page } from "./page.ts";

const TEXTS = {
  heading: { en: "Test document", el: "Δοκιμαστικό παραστατικό" },
  missing: { en: "Not found", el: "Δεν βρέθηκε" },
  missingWhy: {
    en: "No test document has this MARK.",
    el: "Κανένα δοκιμαστικό παραστατικό δεν έχει αυτό το ΜΑΡΚ.",
  },
  mode: { en: "TEST", el: "ΔΟΚΙΜΗ" },
  note: {
    en: "This is not a fiscal document. It was issued in a sandbox and was not sent to the tax authority.",
    el: "Δεν είναι φορολογικό παραστατικό. Εκδόθηκε σε δοκιμαστικό περιβάλλον και δεν διαβιβάστηκε στην ΑΑΔΕ.",
  },
} as const;

function termsOf(document: DocumentObject): [Text, Text | string | null][] {
  const { type, series, number, cancellation_mark: cancellation } = document;
  return [
    [{ en: "MARK", el: "ΜΑΡΚ" }, document.mark],
    [{ en: "UID", el: "UID" }, document.uid],
    [{ en: "Type", el: "Είδος" }, joinTexts([sameInBoth(type), typeInfo(type).title], " ")],
    [
      { en: "Series and number", el: "Σειρά και αριθμός" },
      series === null ? null : `${series} ${number ?? ""}`,
    ],
    [{ en: "Issue date", el: "Ημερομηνία έκδοσης" }, formatDay(document.issue_date)],
    [{ en: "Net", el: "Καθαρή αξία" }, formatMoney(document.net)],
    [{ en: "VAT", el: "ΦΠΑ" }, formatMoney(document.vat)],
    [{ en: "Total", el: "Σύνολο" }, formatMoney(document.gross)],
    [{ en: "Cancelled by MARK", el: "Ακυρώθηκε με ΜΑΡΚ" }, cancellation],
  ];
}

const NOTE = html`<div class="note"><p><strong class="mode mode-test">${TEXTS.mode}</strong></p>
<p>${TEXTS.note}</p></div>`;

/** The page of a MARK; 404 if the sandbox did not assign it. */
export async function sandboxDocumentPage(context: Context, mark: string): Promise<Page> {
  const found = await findSandboxDocument(context, mark);
  if (found === undefined) {
    const content = html`<h1>${TEXTS.missing}</h1>
${NOTE}
<p>${TEXTS.missingWhy}</p>`;
    return { status: 404, title: TEXTS.missing, content };
  }
  const rows = termsOf(found.document).map(
    ([term, value]) => value !== null && html`<dt>${term}</dt><dd>${value}</dd>`,
  );
  const content = html`<h1>${TEXTS.heading}</h1>
${NOTE}
<section><dl>${rows}</dl></section>`;
  return { status: 200, title: html`${TEXTS.heading} ${mark}`, content };
}
