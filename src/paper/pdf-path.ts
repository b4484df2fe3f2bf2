/** Builds the paths of many PDFs from a template. See docs/contract.md#pdf-files. */
import type { DocumentObject } from "../journal/document-object.ts";
import { safeName } from "./pdf-file-name.ts";

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
