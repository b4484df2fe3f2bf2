/** Series, and the uid that the authority computes from series and number (docs/authority.md#uid). */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { note } from "../foundation/field-schemas.ts";
import { pattern } from "../foundation/field-checks.ts";
import { type DocumentType, typeInfo } from "./document-types.ts";

/** The largest document number (docs/contract.md#issue-request). */
export const NUMBER_MAX = 999_999_999_999;

/** The series of documents that name none and whose merchant has set none: `TIM`, or `TIM-2` for branch 2. */
export function defaultSeries(type: DocumentType, branch: number): string {
  const series = typeInfo(type).defaultSeries;
  return branch === 0 ? series : `${series}-${branch}`;
}

/**
 * The Greek letters are those of ISO-8859-7, the encoding in which the uid is computed: U+0386 and U+0388 to U+03CE without the
 * gaps, all precomposed.
 */
const SERIES_FORM = /^[A-Za-z0-9._/\-\u0386\u0388-\u038A\u038C\u038E-\u03A1\u03A3-\u03CE]{1,20}$/;

export const SeriesSchema = v.pipe(
  v.string(),
  pattern(SERIES_FORM, {
    en: "must have 1 to 20 Latin or Greek letters, digits or . _ / -",
    el: "πρέπει να έχει 1 έως 20 λατινικά ή ελληνικά γράμματα, ψηφία ή . _ / -",
  }),
  note({ maxLength: 20 }),
);

const ISO_8859_7 = new TextDecoder("iso-8859-7").decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));

/** The ISO-8859-7 bytes of ASCII and Greek letters. Throws a RangeError for characters that it does not have. */
export function toIso88597(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length }, (_, index) => {
    const byte = ISO_8859_7.indexOf(text.charAt(index));
    if (byte === -1) throw new RangeError("A character of the series does not exist in ISO-8859-7");
    return byte;
  });
}

export interface UidParts {
  supplier: string;
  issueDate: string;
  branch: number;
  /** The authority's type that the document is sent as. */
  sentType: string;
  series: string;
  number: number;
}

export const UID_FORM = /^[0-9A-F]{40}$/;

/** 40 upper-case hex digits: SHA-1 over the parts, joined by hyphens, in ISO-8859-7. */
export function computeUid(parts: UidParts): string {
  const { supplier, issueDate, branch, sentType, series, number } = parts;
  const text = [supplier, issueDate, branch, sentType, series, number].join("-");
  return createHash("sha1").update(toIso88597(text)).digest("hex").toUpperCase();
}
