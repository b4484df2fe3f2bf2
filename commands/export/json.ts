/** An export as one JSON object: `{object: "export", documents: […], totals: {by_type, by_vat}}`, in cents. */
import type { DocumentExport } from "../../src/documents/export.ts";
import type { Output } from "../output-file.ts";

/** Written document by document: the text is that of the whole object, which is never held. */
export async function writeJson(exported: DocumentExport, output: Output): Promise<void> {
  let isEmpty = true;
  await output.write('{\n  "object": "export",\n  "documents": [');
  for await (const document of exported.documents) {
    await output.write(`${isEmpty ? "" : ","}\n    ${indented(document, 4)}`);
    isEmpty = false;
  }
  await output.write(`${isEmpty ? "" : "\n  "}],\n  "totals": ${indented(exported.totals(), 2)}\n}\n`);
}

/** Totals are exact integers, whatever their length: JSON has no largest number. No text in them looks like one of these. */
const EXACT = /"exactly:(-?\d+)"/g;

function indented(value: object, spaces: number): string {
  const hasExact = "by_type" in value;
  const text = JSON.stringify(
    value,
    (_key, item: unknown) => (typeof item === "bigint" ? `exactly:${item}` : item),
    2,
  );
  const shifted = text.replaceAll("\n", `\n${" ".repeat(spaces)}`);
  return hasExact ? shifted.replace(EXACT, "$1") : shifted;
}
