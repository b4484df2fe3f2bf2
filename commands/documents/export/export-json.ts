/** An export as one JSON object: `{object: "export", documents: […], totals: {by_type, by_vat}}`, in cents. */
import type { DocumentExport } from "../../../src/books/export-documents.ts";
import type { Output } from "../../output-file.ts";
import { exactJson } from "../../ui/exact-json.ts";

/** Written document by document: the text is that of the whole object, which is never held. */
export async function writeJson(exported: DocumentExport, output: Output): Promise<void> {
  let isEmpty = true;
  await output.write('{\n  "object": "export",\n  "documents": [');
  for await (const document of exported.documents) {
    const text = shifted(JSON.stringify(document, null, 2), 4);
    await output.write(`${isEmpty ? "" : ","}\n    ${text}`);
    isEmpty = false;
  }
  const totals = shifted(exactJson(exported.totals()), 2);
  await output.write(`${isEmpty ? "" : "\n  "}],\n  "totals": ${totals}\n}\n`);
}

/** All lines but the first. */
function shifted(text: string, spaces: number): string {
  return text.replaceAll("\n", `\n${" ".repeat(spaces)}`);
}
