/** Where the qr_url of a sandbox document leads: what was filed, without a word about its parties. */
import type { Context } from "../../src/context.ts";
import { findSandboxDocument } from "../../src/documents/documents.ts";
import { formatEuro } from "../../src/money.ts";
import { escapeHtml, htmlPage } from "./html.ts";

const NOTE = `<p class="note"><strong>Δοκιμαστικό περιβάλλον:</strong> δεν είναι φορολογικό παραστατικό.<br>
<span lang="en"><strong>Sandbox:</strong> this is not a fiscal document.</span></p>`;

/** The page of a MARK; 404 where the sandbox gave none such. */
export async function sandboxDocumentPage(
  context: Context,
  mark: string,
): Promise<{ status: number; html: string }> {
  const found = await findSandboxDocument(context, mark);
  if (found === undefined) {
    const content = `<h1>Δεν βρέθηκε</h1>\n${NOTE}\n<p>Δεν υπάρχει παραστατικό με αυτό το ΜΑΡΚ. <span lang="en">No document has this MARK.</span></p>`;
    return { status: 404, html: htmlPage({ title: "Δεν βρέθηκε · Not found", content }) };
  }
  const { document } = found;
  const rows: [string, string][] = [
    ["ΜΑΡΚ · MARK", document.mark ?? ""],
    ["UID", document.uid ?? ""],
    ["Τύπος · Type", document.type],
    ["Σειρά και αριθμός · Series and number", `${document.series ?? ""} ${document.number ?? ""}`],
    ["Ημερομηνία · Issue date", document.issue_date],
    ["Σύνολο · Gross", `${formatEuro(document.gross)} EUR`],
  ];
  if (document.cancellation_mark !== null) rows.push(["Ακυρώθηκε · Cancelled", document.cancellation_mark]);
  const list = rows.map(([term, value]) => `<dt>${term}</dt><dd>${escapeHtml(value)}</dd>`).join("\n");
  const content = `<h1>Παραστατικό · Document</h1>\n${NOTE}\n<dl>\n${list}\n</dl>`;
  return { status: 200, html: htmlPage({ title: `ΜΑΡΚ ${document.mark}`, content }) };
}
