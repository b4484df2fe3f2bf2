/** The page behind the `qr_url` of a sandbox document: shows what was filed, but nothing about the parties. */
import type { Context } from "../../src/journal/context.ts";
import { findSandboxDocument } from "../../src/documents/list-documents.ts";
import { typeInfo } from "../../src/domain/document-types.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { Language } from "./language.ts";
import { html, type Markup } from "./markup.ts";
import { htmlPage, type Page } from "./page.ts";

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

const LOCALES: Readonly<Record<Language, string>> = { el: "el-GR", en: "en-IE" };

/** The relative path from `/sandbox/documents/{mark}`. */
const ROOT = "../../";

function euro(cents: number, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language], { style: "currency", currency: "EUR" }).format(cents / 100);
}

/** `issueDate` is a calendar day, formatted as that day in UTC. */
function day(issueDate: string, language: Language): string {
  const form = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: "long", timeZone: "UTC" });
  return form.format(new Date(`${issueDate}T00:00:00Z`));
}

function termsOf(document: DocumentObject, language: Language): [Text, string][] {
  const { type, series, number, cancellation_mark: cancellation } = document;
  const rows: [Text, string | null][] = [
    [{ en: "MARK", el: "ΜΑΡΚ" }, document.mark],
    [{ en: "UID", el: "UID" }, document.uid],
    [{ en: "Type", el: "Είδος" }, `${type} ${typeInfo(type).title[language]}`],
    [
      { en: "Series and number", el: "Σειρά και αριθμός" },
      series === null ? null : `${series} ${number ?? ""}`,
    ],
    [{ en: "Issue date", el: "Ημερομηνία έκδοσης" }, day(document.issue_date, language)],
    [{ en: "Net", el: "Καθαρή αξία" }, euro(document.net, language)],
    [{ en: "VAT", el: "ΦΠΑ" }, euro(document.vat, language)],
    [{ en: "Total", el: "Σύνολο" }, euro(document.gross, language)],
    [{ en: "Cancelled by MARK", el: "Ακυρώθηκε με ΜΑΡΚ" }, cancellation],
  ];
  return rows.filter((row): row is [Text, string] => row[1] !== null);
}

function note(language: Language): Markup {
  return html`<div class="note"><p><strong class="mode mode-test">${TEXTS.mode[language]}</strong></p>
<p>${TEXTS.note[language]}</p></div>`;
}

/** The page of a MARK; 404 if the sandbox did not assign it. */
export async function sandboxDocumentPage(context: Context, mark: string, language: Language): Promise<Page> {
  const found = await findSandboxDocument(context, mark);
  if (found === undefined) {
    const title = TEXTS.missing[language];
    const content = html`<h1>${title}</h1>
${note(language)}
<p>${TEXTS.missingWhy[language]}</p>`;
    return { status: 404, html: htmlPage({ title, language, root: ROOT, content }) };
  }
  const rows = termsOf(found.document, language).map(
    ([term, value]) => html`<dt>${term[language]}</dt><dd>${value}</dd>`,
  );
  const content = html`<h1>${TEXTS.heading[language]}</h1>
${note(language)}
<section><dl>${rows}</dl></section>`;
  const title = `${TEXTS.heading[language]} ${mark}`;
  return { status: 200, html: htmlPage({ title, language, root: ROOT, content }) };
}
