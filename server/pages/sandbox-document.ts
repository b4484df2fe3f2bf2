/** Where the qr_url of a sandbox document leads: what was filed, without a word about its parties. */
import type { Context } from "../../src/context.ts";
import { findSandboxDocument } from "../../src/documents/documents.ts";
import { formatEuro } from "../../src/money.ts";

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="el">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; }
dt { color: #555; }
dd { margin: 0; overflow-wrap: anywhere; }
.note { border-left: 4px solid #b45309; padding: .5rem 1rem; background: #fffbeb; }
</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}

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
    return { status: 404, html: page("Δεν βρέθηκε · Not found", content) };
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
  return {
    status: 200,
    html: page(`ΜΑΡΚ ${document.mark}`, `<h1>Παραστατικό · Document</h1>\n${NOTE}\n<dl>\n${list}\n</dl>`),
  };
}
