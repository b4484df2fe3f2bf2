/** Prints documents. */
import type { ReadContents } from "../../src/documents/contents.ts";
import { textsOfWarnings } from "../../src/foundation/stored-texts.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import type { CommandContext } from "../context.ts";
import { printNote } from "../io.ts";
import { documentRows, furtherRows, VIES, viesText } from "../../src/operations/document-view.ts";
import { printFields, printObject, printTable } from "../ui/table.ts";
import { LINE_COLUMNS, lineViewsOf, partyText } from "./line-view.ts";

/**
 * Prints one document with its timeline, warnings and notes, and if its contents are given, its customer and lines; with `--json`
 * only its object, and what VIES says.
 */
export async function printDocument(
  context: CommandContext,
  document: DocumentObject,
  { object: contents, notes = [], vies }: Partial<Pick<ReadContents, "object" | "notes" | "vies">> = {},
): Promise<void> {
  const customer = contents?.document.customer;
  const rows = documentRows(document, customer === undefined ? undefined : partyText(customer));
  if (vies === undefined) await printObject(context, document, rows);
  else await printObject(context, { ...document, vies }, [...rows, [VIES, viesText(vies)]]);
  if (context.options.json === true) return;
  if (contents !== undefined) {
    await printTable(context.io, LINE_COLUMNS, lineViewsOf(contents.document));
    await printFields(context.io, furtherRows(contents.document));
  }
  for (const warning of [...textsOfWarnings(document.classification.warnings), ...notes])
    await printNote(context.io, warningLine(warning));
}

export const warningLine = ({ en, el }: Text): Text => ({ en: `warning: ${en}`, el: `προειδοποίηση: ${el}` });
