/** Writes an export as one JSON object: `{object: "export", documents: […], totals: {by_type, by_vat}}`, in cents. */
import type { DocumentExport } from "../../../src/books/export-documents.ts";
import type { Output } from "../../output-file.ts";
import { exactJson } from "../../ui/exact-json.ts";
import { toJson } from "../../ui/json.ts";

/** Writes document by document, so that the whole object is never in memory. */
export async function writeJson(exported: DocumentExport, output: Output): Promise<void> {
  let isEmpty = true;
  await output.write('{\n  "object": "export",\n  "documents": [');
  for await (const document of exported.documents) {
    const text = indented(toJson(document, 2), 4);
    await output.write(`${isEmpty ? "" : ","}\n    ${text}`);
    isEmpty = false;
  }
  const totals = indented(exactJson(exported.totals()), 2);
  await output.write(`${isEmpty ? "" : "\n  "}],\n  "totals": ${totals}\n}\n`);
}

/** Indents every line except the first. */
function indented(text: string, spaces: number): string {
  return text.replaceAll("\n", `\n${" ".repeat(spaces)}`);
}
