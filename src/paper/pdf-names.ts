/** The path of each PDF of many. Two documents never get the same one. */
import type { Mode } from "../../storage/stored-values.ts";
import { listDocuments } from "../documents/list-documents.ts";
import { everyItem } from "../foundation/pages.ts";
import type { Context } from "../journal/context.ts";
import type { DocumentObject } from "../journal/document-object.ts";
import { getMerchant } from "../merchants/merchants.ts";
import { pathOf } from "./pdf-path.ts";

export interface PdfNames {
  /** Relative to the folder or archive. */
  nameOf(document: DocumentObject): Promise<string>;
}

/**
 * Documents with the same path, because they share series and number or differ only in characters that a path cannot have,
 * all get their id too. A file may be from an earlier run, so all documents that could have the same path are compared, not only
 * those that are written.
 */
export async function createPdfNames(
  context: Context,
  mode: Mode,
  template: string,
  period: { from: string; to: string },
): Promise<PdfNames> {
  const merchants = new Map<string, string>();
  const plainPath = async (document: DocumentObject): Promise<string> => {
    const { merchant } = document;
    const known = merchants.get(merchant) ?? (await getMerchant(context, merchant)).external_id;
    merchants.set(merchant, known);
    return pathOf(template, document, known);
  };
  const uses = new Map<string, number>();
  const comparable = template.includes("{year}") ? wholeYears(period) : {};
  const filters = { status: "issued" as const, ...comparable };
  for await (const document of everyItem((page) => listDocuments(context, mode, { ...filters, ...page }))) {
    const key = keyOf(await plainPath(document));
    uses.set(key, (uses.get(key) ?? 0) + 1);
  }
  return {
    async nameOf(document) {
      const path = await plainPath(document);
      const isShared = (uses.get(keyOf(path)) ?? 0) > 1;
      return `${path}${isShared ? `-${document.id.replace("doc_", "")}` : ""}.pdf`;
    },
  };
}

/** Windows and macOS do not tell capital letters apart. */
function keyOf(path: string): string {
  return path.toLowerCase();
}

function wholeYears({ from, to }: { from: string; to: string }) {
  return { "issue_date[gte]": `${from.slice(0, 4)}-01-01`, "issue_date[lte]": `${to.slice(0, 4)}-12-31` };
}
