/** Searches documents by id, MARK, external reference, or number with or without its series. */
import { findTimelines } from "../../storage/journal/events.ts";
import { isId } from "../../storage/database/ids.ts";
import { findDocumentsByNumber } from "../../storage/upkeep/overview.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { AppError } from "../foundation/errors.ts";
import { getDocument, listDocuments } from "./list-documents.ts";
import { NUMBER_MAX } from "../domain/series.ts";
import { buildDocumentObject, type DocumentObject } from "../journal/document-object.ts";
import { MARK_FORM } from "../domain/document-codes.ts";

/** Limit for each kind of match. */
const FOUND_MAX = 25;
const REFERENCE_LENGTH_MAX = 200;
/** `12`, `TIM 12`, `TIM-1 12`, `TIM/12`: the number is last. */
const NUMBER_FORM = /^(?:(\S.{0,18}\S|\S)[\s/#-]+)?0*([1-9]\d{0,11})$/u;

/** Parses a number and an optional series before it; undefined where the text does not end in a number. */
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

/** Returns matching documents of the mode, newest first, at most 25 of each kind of match; none for empty text. */
export async function searchDocuments(context: Context, mode: Mode, text: string): Promise<DocumentObject[]> {
  const query = text.trim();
  if (query === "") return [];
  if (isId(query, "doc")) return byId(context, mode, query);
  const found = await byNumber(context, mode, query);
  if (MARK_FORM.test(query))
    found.push(...(await listDocuments(context, mode, { limit: FOUND_MAX, mark: query })).data);
  if ([...query].length <= REFERENCE_LENGTH_MAX)
    found.push(...(await listDocuments(context, mode, { limit: FOUND_MAX, external_reference: query })).data);
  const unique = new Map(found.map((document) => [document.id, document]));
  return [...unique.values()].sort((left, right) => (left.id < right.id ? 1 : -1));
}
