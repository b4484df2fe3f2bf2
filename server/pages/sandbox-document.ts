/** The page behind the `qr_url` of a sandbox document: shows what was filed, but nothing about the parties. */
import type { Context } from "../../src/journal/context.ts";
import { findSandboxDocument } from "../../src/documents/list-documents.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { typeInfo } from "../../src/domain/document-types.ts";
import { joinTexts, sameInBoth } from "../../src/foundation/text.ts";
import { documentName } from "./console/document-parts.ts";
import { dayOf, formatMoney } from "./console/format.ts";
import { MODE_NAMES, TEXTS as LABELS } from "./console/messages.ts";
import { termList } from "./console/parts.ts";
import { html, type Markup } from "./markup.ts";
import type { Page } from "./page.ts";

const TEXTS = {
  heading: { en: "Test document", el: "Δοκιμαστικό παραστατικό" },
  missingWhy: {
    en: "No test document has this MARK.",
    el: "Κανένα δοκιμαστικό παραστατικό δεν έχει αυτό το ΜΑΡΚ.",
  },
  note: {
    en: "This is not a fiscal document. It was issued in a sandbox and was not sent to the tax authority.",
    el: "Δεν είναι φορολογικό παραστατικό. Εκδόθηκε σε δοκιμαστικό περιβάλλον και δεν διαβιβάστηκε στην ΑΑΔΕ.",
  },
} as const;

function termsOf(document: DocumentObject): Markup {
  return termList([
    [LABELS.mark, document.mark],
    [LABELS.uid, document.uid],
    [LABELS.type, joinTexts([sameInBoth(document.type), typeInfo(document.type).title], " ")],
    [LABELS.number, document.number !== null && documentName(document)],
    [LABELS.issueDate, dayOf(document.issue_date)],
    [LABELS.net, formatMoney(document.net)],
    [LABELS.vat, formatMoney(document.vat)],
    [LABELS.gross, formatMoney(document.gross)],
    [LABELS.cancellationMark, document.cancellation_mark],
  ]);
}

const NOTE = html`<div class="note"><p><strong class="mode mode-test">${MODE_NAMES.test}</strong></p>
<p>${TEXTS.note}</p></div>`;

/** The page of a MARK; 404 if the sandbox did not assign it. */
export async function sandboxDocumentPage(context: Context, mark: string): Promise<Page> {
  const found = await findSandboxDocument(context, mark);
  if (found === undefined) {
    const content = html`<h1>${LABELS.notFound}</h1>
${NOTE}
<p>${TEXTS.missingWhy}</p>`;
    return { status: 404, title: LABELS.notFound, content };
  }
  const content = html`<h1>${TEXTS.heading}</h1>
${NOTE}
<section>${termsOf(found.document)}</section>`;
  return { status: 200, title: html`${TEXTS.heading} ${mark}`, content };
}
