/** Names PDF files, one or many, so that people recognise them and every file system accepts them (docs/contract.md#pdf-files). */
import type { Mode } from "../../storage/stored-values.ts";
import { listDocuments } from "../documents/list-documents.ts";
import { everyItem } from "../foundation/pages.ts";
import type { Context } from "../journal/context.ts";
import type { DocumentObject } from "../journal/document-object.ts";
import { getMerchant } from "../merchants/merchants.ts";

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

export const PATH_TEMPLATE = "{merchant}/{year}/{series}-{number}";

type Parts = Pick<DocumentObject, "id" | "issue_date" | "mark" | "number" | "series" | "type">;

const VALUES = {
  merchant: (_document: Parts, merchant: string) => merchant,
  year: ({ issue_date: day }: Parts) => day.slice(0, 4),
  month: ({ issue_date: day }: Parts) => day.slice(5, 7),
  day: ({ issue_date: day }: Parts) => day.slice(8, 10),
  type: ({ type }: Parts) => type,
  series: ({ series }: Parts) => series ?? "",
  number: ({ number }: Parts) => String(number ?? ""),
  mark: ({ mark }: Parts) => mark ?? "",
  id: ({ id }: Parts) => id.replace("doc_", ""),
} as const;

export const PATH_WORDS = Object.keys(VALUES) as (keyof typeof VALUES)[];

const PLACE = /\{(\w*)\}/g;

/** The words in braces that are not known, and whether the others tell documents apart. */
export function checkTemplate(template: string): { unknown: string[]; isDistinct: boolean } {
  const words = [...template.matchAll(PLACE)].map(([, word = ""]) => word);
  const has = (word: keyof typeof VALUES) => words.includes(word);
  return {
    unknown: words.filter((word) => !(PATH_WORDS as string[]).includes(word)),
    isDistinct: has("id") || has("mark") || (has("series") && has("number")),
  };
}

/** The path without its ending, with `/` between names. Each name is safe, so that the path never leaves its folder. */
export function pathOf(template: string, document: Parts, merchant: string): string {
  const names = template.replace(/\.pdf$/i, "").split("/");
  return names
    .filter((name) => name.trim() !== "")
    .map((name) =>
      name.replace(PLACE, (_match, word: string) =>
        VALUES[word as keyof typeof VALUES](document, merchant).replaceAll("/", "-"),
      ),
    )
    .map(safeName)
    .join("/");
}

/** Greek capitals and their Latin letters, similar to those in passports. */
const LATIN: ReadonlyMap<string, string> = new Map(
  "ΑA ΒV ΓG ΔD ΕE ΖZ ΗI ΘTH ΙI ΚK ΛL ΜM ΝN ΞX ΟO ΠP ΡR ΣS ΤT ΥY ΦF ΧCH ΨPS ΩO"
    .split(" ")
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

function latinOf(character: string): string {
  const bare = character.normalize("NFD").replaceAll(/\p{M}/gu, "");
  const upper = bare.toUpperCase();
  const latin = LATIN.get(upper);
  if (latin === undefined) return bare;
  return bare === upper ? latin : latin.toLowerCase();
}

/** Names that Windows reserves for devices, whatever their ending. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;
const NAME_CHARACTERS_MAX = 120;

/** `text` as one ASCII name that every file system accepts: Greek letters become Latin, and others `-`. Never empty. */
function safeName(text: string): string {
  const latin = Array.from(text, latinOf).join("").slice(0, NAME_CHARACTERS_MAX);
  const safe = latin
    .replaceAll(/[^A-Za-z0-9._-]/g, "-")
    .replace(/^[.-]+/, "_")
    .replace(/\.+$/, "_");
  return safe === "" || RESERVED.test(safe) ? `_${safe}` : safe;
}

/** Returns a name such as `TIM-17.pdf`, which is never hidden and never looks like a flag. */
export function pdfFileName(series: string, number: number): string {
  return `${safeName(series)}-${number}.pdf`;
}
