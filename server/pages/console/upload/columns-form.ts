/** The form that says what unknown columns of an upload mean. */
import { TYPE_WORDS } from "../../../../src/domain/document-codes.ts";
import { AppError } from "../../../../src/foundation/errors.ts";
import type { Text } from "../../../../src/foundation/text.ts";
import { type ColumnName, FIELDS, FILE_COLUMNS } from "../../../../src/intake/table-fields.ts";
import {
  type ColumnMap,
  mergeMaps,
  namesOf,
  parseColumnMap,
  rememberMap,
} from "../../../../src/intake/column-map.ts";
import {
  checkHeader,
  IGNORE,
  suggestColumns,
  type UnknownCell,
} from "../../../../src/intake/table-header.ts";
import { html, type Markup } from "../../markup.ts";
import { TEXTS } from "../messages.ts";
import { VAT_OPTIONS } from "../document-parts.ts";
import { nameOf } from "../list-page.ts";
import { alert, type Option, table } from "../parts.ts";
import type { Visit } from "../visit.ts";
import { formPart } from "./preview-part.ts";
import { type Columns, readColumns, type Upload } from "./read-upload.ts";
import { control, formField, postForm } from "../forms.ts";

interface ColumnsForm {
  upload: Upload;
  columns: Columns;
  action: string;
  mistake: Text | undefined;
}

export function columnsForm(visit: Visit, { upload, columns, action, mistake }: ColumnsForm): Markup {
  const { check } = columns;
  const suggested = new Set(suggestColumns(check.unknown, check.places).values());
  // What a column probably has is asked for only if none is chosen for it.
  const choice = (column: "type" | "vat_category", label: Text, options: readonly Option[]) => {
    const name = `default-${column}`;
    if (!check.missing.includes(column) || suggested.has(column)) return undefined;
    return formField(undefined, { name, label, value: visit.form.get(name) ?? "", options, look: "narrow" });
  };
  const unknown =
    check.unknown.length > 0 &&
    html`<p class="hint">${TEXTS.uploadColumnsNote}</p>${unknownTable(visit, columns)}`;
  const form = postForm(visit, {
    action,
    content: html`${unknown}${choice("type", TEXTS.uploadAllTypes, TYPES)}${choice("vat_category", TEXTS.uploadAllRates, VAT_OPTIONS)}`,
    button: TEXTS.uploadRemember,
    buttons: html`<a class="button" href="/console/upload">${TEXTS.uploadOther}</a>`,
    isKept: true,
  });
  return html`${formPart(upload, columns)}${mistake && alert(html`<p>${mistake}</p>`)}<section>${form}</section>`;
}

function unknownTable(visit: Visit, { head, check }: Columns): Markup {
  const { form, isPosted } = visit;
  const suggested = suggestColumns(check.unknown, check.places);
  const meaningOf = ({ index }: UnknownCell) =>
    isPosted ? form.get(fieldOf(index)) : (suggested.get(index) ?? IGNORE);
  return table<UnknownCell>(
    TEXTS.uploadColumns,
    [
      { head: TEXTS.uploadColumn, cell: ({ cell }) => cell },
      {
        head: TEXTS.uploadExamples,
        cell: ({ index }) => head.rows.flatMap(({ cells }) => cells[index] || []).join(" · "),
      },
      {
        head: TEXTS.uploadMeaning,
        cell: (unknown) => meaningSelect(unknown, meaningOf(unknown), check.places),
      },
    ],
    check.unknown,
  );
}

function fieldOf(index: number): string {
  return `column-${index}`;
}

function meaningSelect(
  { index, cell }: UnknownCell,
  chosen: string | undefined,
  places: ReadonlyMap<ColumnName, number>,
): Markup {
  const free = FILE_COLUMNS.filter((column) => !places.has(column));
  const options = [
    ...free.map((column) => ({ value: column, text: FIELDS[column].words })),
    { value: IGNORE, text: TEXTS.uploadLeaveOut },
  ];
  const name = fieldOf(index);
  return html`<label class="unseen" for="${name}">${TEXTS.uploadMeaning}: ${cell}</label>${control(undefined, { name, value: chosen ?? "", options })}`;
}

const TYPES = Object.keys(TYPE_WORDS).map((value) => ({ value, text: nameOf(value) }));

/** Remembers the answers for the merchant. Returns what is wrong with them. */
export async function readAnswers({ appliance, form }: Visit, upload: Upload): Promise<Text | undefined> {
  const { map, head, check } = await readColumns(appliance, upload);
  const columns: Record<string, string> = {};
  const ignore: string[] = [];
  for (const { index, cell } of check.unknown) {
    const meaning = form.get(fieldOf(index)) ?? IGNORE;
    if (meaning !== IGNORE && columns[meaning] !== undefined) return TEXTS.uploadTwice;
    if (meaning === IGNORE) ignore.push(cell);
    else columns[meaning] = cell;
  }
  const given = (["type", "vat_category"] as const).map((column) => [column, form.get(`default-${column}`)]);
  // A column that was chosen just now needs no default.
  const defaults = Object.fromEntries(
    given.filter(([column, value]) => value !== undefined && columns[column!] === undefined),
  );
  let answers: ColumnMap;
  try {
    answers = parseColumnMap({ columns, ignore, defaults });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.text;
  }
  const whole = mergeMaps(map, answers);
  const { missing } = checkHeader(head.cells, namesOf(whole));
  if (missing.length > 0) return TEXTS.uploadMissing(missing.map((column) => FIELDS[column].words));
  await rememberMap(appliance, upload.merchantId, whole);
  return undefined;
}
