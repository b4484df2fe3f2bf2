/** Finding documents by what people have in their hand: a MARK, their own reference, a number with or without its series. */
import { findTimelines } from "../../storage/events.ts";
import { isId } from "../../storage/ids.ts";
import { findDocumentsByNumber } from "../../storage/overview.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { AppError } from "../foundation/errors.ts";
import { getDocument, listDocuments } from "./list-documents.ts";
import { NUMBER_MAX } from "../domain/series.ts";
import { buildDocumentObject, type DocumentObject } from "../journal/document-object.ts";
import { MARK_FORM } from "../domain/document-codes.ts";

/** Of each kind of match. */
const FOUND_MAX = 25;
const REFERENCE_LENGTH_MAX = 200;
/** `12`, `TIM 12`, `TIM-1 12`, `TIM/12`: the number comes last. */
const NUMBER_FORM = /^(?:(\S.{0,18}\S|\S)[\s/#-]+)?0*([1-9]\d{0,11})$/u;

/** A number and the series before it; undefined where the text ends with none. */
export function parseNumber(text: string): { series: string | undefined; number: number } | undefined {
  const found = NUMBER_FORM.exec(text);
  const number = Number(found?.[2] ?? Number.NaN);
  if (found === null || !(number <= NUMBER_MAX)) return undefined;
  return { series: found[1], number };
}

async function byId(context: Context, mode: Mode, id: string): Promise<DocumentObject[]> {
  try {
    return [await getDocument(context, mode, id)];
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return [];
    throw error;
  }
}

async function byNumber(context: Context, mode: Mode, text: string): Promise<DocumentObject[]> {
  const parsed = parseNumber(text);
  if (parsed === undefined) return [];
  const { read } = context.store;
  const rows = await findDocumentsByNumber(read, { mode, ...parsed, limit: FOUND_MAX });
  const timelines = await findTimelines(
    read,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => buildDocumentObject(row, timelines.get(row.id) ?? []));
}

/**
 * The documents of the mode that `text` names: by id, MARK, external reference, or number with or without its series. Newest
 * first, each once, 25 of a kind at the most; none where the text is empty.
 */
export async function searchDocuments(context: Context, mode: Mode, text: string): Promise<DocumentObject[]> {
  const asked = text.trim();
  if (asked === "") return [];
  if (isId(asked, "doc")) return byId(context, mode, asked);
  const found = await byNumber(context, mode, asked);
  if (MARK_FORM.test(asked))
    found.push(...(await listDocuments(context, mode, { limit: FOUND_MAX, mark: asked })).data);
  if ([...asked].length <= REFERENCE_LENGTH_MAX)
    found.push(...(await listDocuments(context, mode, { limit: FOUND_MAX, external_reference: asked })).data);
  const unique = new Map(found.map((document) => [document.id, document]));
  return [...unique.values()].sort((left, right) => (left.id < right.id ? 1 : -1));
}
