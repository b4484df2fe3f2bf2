/** Where the qr_url of a sandbox document leads: what was filed, without a word about its parties. */
import type { Context } from "../../src/journal/context.ts";
import { findSandboxDocument } from "../../src/documents/list-documents.ts";
import { typeInfo } from "../../src/domain/document-types.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { type Language, say, type Sentence } from "./language.ts";
import { html, type Markup } from "./markup.ts";
import { htmlPage, type Page } from "./page.ts";

const WORDS = {
  title: { el: "Δοκιμαστικό παραστατικό {mark}", en: "Test document {mark}" },
  heading: { el: "Δοκιμαστικό παραστατικό", en: "Test document" },
  missing: { el: "Δεν βρέθηκε", en: "Not found" },
  missingWhy: {
    el: "Κανένα δοκιμαστικό παραστατικό δεν έχει αυτό το ΜΑΡΚ.",
    en: "No test document has this MARK.",
  },
  mode: { el: "ΔΟΚΙΜΗ", en: "TEST" },
  note: {
    el: "Δεν είναι φορολογικό παραστατικό. Εκδόθηκε σε δοκιμαστικό περιβάλλον και δεν διαβιβάστηκε στην ΑΑΔΕ.",
    en: "This is not a fiscal document. It was issued in a sandbox and was not sent to the tax authority.",
  },
  mark: { el: "ΜΑΡΚ", en: "MARK" },
  uid: { el: "UID", en: "UID" },
  type: { el: "Είδος", en: "Type" },
  number: { el: "Σειρά και αριθμός", en: "Series and number" },
  date: { el: "Ημερομηνία έκδοσης", en: "Issue date" },
  net: { el: "Καθαρή αξία", en: "Net" },
  vat: { el: "ΦΠΑ", en: "VAT" },
  gross: { el: "Σύνολο", en: "Total" },
  cancelled: { el: "Ακυρώθηκε με ΜΑΡΚ", en: "Cancelled by MARK" },
} as const satisfies Record<string, Sentence>;

const LOCALES: Readonly<Record<Language, string>> = { el: "el-GR", en: "en-IE" };

/** From `/sandbox/documents/{mark}`. */
const ROOT = "../../";

function euro(cents: number, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language], { style: "currency", currency: "EUR" }).format(cents / 100);
}

/** `issueDate` is a calendar day; as an instant it is that of the same day in UTC. */
function day(issueDate: string, language: Language): string {
  const form = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: "long", timeZone: "UTC" });
  return form.format(new Date(`${issueDate}T00:00:00Z`));
}

function facts(document: DocumentObject, language: Language): [Sentence, string][] {
  const { type, series, number, cancellation_mark: cancellation } = document;
  const rows: [Sentence, string | null][] = [
    [WORDS.mark, document.mark],
    [WORDS.uid, document.uid],
    [WORDS.type, `${type} ${say(typeInfo(type).title, language)}`],
    [WORDS.number, series === null ? null : `${series} ${number ?? ""}`],
    [WORDS.date, day(document.issue_date, language)],
    [WORDS.net, euro(document.net, language)],
    [WORDS.vat, euro(document.vat, language)],
    [WORDS.gross, euro(document.gross, language)],
    [WORDS.cancelled, cancellation],
  ];
  return rows.filter((row): row is [Sentence, string] => row[1] !== null);
}

function note(language: Language): Markup {
  return html`<div class="note"><p><strong class="mode mode-test">${say(WORDS.mode, language)}</strong></p>
<p>${say(WORDS.note, language)}</p></div>`;
}

/** The page of a MARK; 404 where the sandbox gave none such. */
export async function sandboxDocumentPage(context: Context, mark: string, language: Language): Promise<Page> {
  const found = await findSandboxDocument(context, mark);
  if (found === undefined) {
    const title = say(WORDS.missing, language);
    const content = html`<h1>${title}</h1>
${note(language)}
<p>${say(WORDS.missingWhy, language)}</p>`;
    return { status: 404, html: htmlPage({ title, language, root: ROOT, content }) };
  }
  const rows = facts(found.document, language).map(
    ([term, value]) => html`<dt>${say(term, language)}</dt><dd>${value}</dd>`,
  );
  const content = html`<h1>${say(WORDS.heading, language)}</h1>
${note(language)}
<section><dl>${rows}</dl></section>`;
  const title = say(WORDS.title, language, { mark });
  return { status: 200, html: htmlPage({ title, language, root: ROOT, content }) };
}
