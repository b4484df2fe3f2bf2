/** `fiscal documents template`: writes an example file to start from. See docs/contract.md#templates. */
import { TYPE_WORDS } from "../../src/domain/document-codes.ts";
import { DOCUMENT_TYPES } from "../../src/domain/document-types.ts";
import { createClock } from "../../src/foundation/clock.ts";
import {
  buildCsvTemplate,
  buildJsonTemplate,
  type TemplateLanguage,
  type TemplateOptions,
  templateRows,
} from "../../src/intake/template.ts";
import type { CommandContext } from "../context.ts";
import { outputSettingsOf } from "../io.ts";
import { named } from "../named-code.ts";
import { refuseReplacing, startOutput } from "../output-files.ts";
import { chooseFormat, type ExportFormat, FORMAT_FLAGS } from "./export/export-format.ts";
import { type Flags, verb } from "../define.ts";
import type { Cell, Row } from "write-excel-file/node";
import { type ColumnName, COLUMNS, fieldOf } from "../../src/intake/table-fields.ts";

const FLAGS = {
  "--type <type>": {
    en: "document type, for example 1.1 (by default the file has all types)",
    el: "τύπος παραστατικού, για παράδειγμα 1.1 (αν λείπει, το αρχείο έχει όλους τους τύπους)",
    read: named(DOCUMENT_TYPES, TYPE_WORDS),
  },
  ...FORMAT_FLAGS,
  "--force": { en: "overwrite an existing file", el: "αντικαθιστά το αρχείο αν υπάρχει" },
} satisfies Flags;

export const defineTemplate = verb({
  flags: FLAGS,
  examples: [
    "fiscal documents template --output documents.xlsx",
    "fiscal documents template --type 1.1 > documents.csv",
    "fiscal --lang el documents template --output timologia.csv",
  ],
  /** Needs no appliance: apart from today's date, a template is always the same. */
  async run(context, flags) {
    const { io } = context;
    const format = chooseFormat(context, flags);
    const { output: path = "-", force = false } = flags;
    // A person may have filled it in.
    if (path !== "-" && !force) await refuseReplacing(io, path);
    const content = await contentOf(context, format, { type: flags.type, today: createClock().today() });
    await using output = await startOutput(io, path);
    await output.write(content);
    await output.finish();
  },
});

async function contentOf(
  { io }: CommandContext,
  format: ExportFormat,
  options: TemplateOptions,
): Promise<string | Uint8Array> {
  const { language } = outputSettingsOf(io);
  if (format === "json") return buildJsonTemplate(options);
  if (format === "csv") return buildCsvTemplate(options, language);
  return buildTemplateWorkbook(options, language);
}

const TEXT_FORMAT = "@";
const DAY_FORMAT = "dd/mm/yyyy";
/** Rows in which a person may type. */
const BLANK_ROWS = 200;
/** Characters. */
const WIDTH = 18;

export async function buildTemplateWorkbook(
  options: TemplateOptions,
  language: TemplateLanguage,
): Promise<Uint8Array> {
  // Words are in the reader's language; days and numbers are those of a spreadsheet.
  const [heads = []] = templateRows(options, language);
  const words = templateRows(options, language).slice(1);
  const values = templateRows(options, "en").slice(1);
  const data: Row[] = [
    heads.map((value) => ({ value, type: String, fontWeight: "bold" as const })),
    ...words.map((cells, row) =>
      cells.map((word, index) => cellOf(COLUMNS[index]!, word, values[row]![index]!)),
    ),
    ...Array.from({ length: BLANK_ROWS }, () => COLUMNS.map((column) => blankCell(column))),
  ];
  const { default: writeExcelFile } = await import("write-excel-file/node");
  const columns = COLUMNS.map((column) => ({ width: fieldOf(column).width ?? WIDTH }));
  const sheet = language === "el" ? "παραστατικά" : "documents";
  const workbook = writeExcelFile([{ data, sheet, columns, stickyRowsCount: 1 }]);
  return workbook.toBuffer();
}

function cellOf(column: ColumnName, word: string, value: string): Cell {
  if (value === "") return blankCell(column);
  const { sheet } = fieldOf(column);
  if (sheet === "decimal") return { value: Number(value), type: Number };
  if (sheet === "day") return { value: new Date(`${value}T00:00:00Z`), type: Date, format: DAY_FORMAT };
  return { value: word, type: String, format: TEXT_FORMAT };
}

/** Excel would read 1.1 as a date, drop leading zeros and round MARKs: such columns are text, also where they are blank. */
function blankCell(column: ColumnName): Cell {
  return fieldOf(column).sheet === "text" ? { value: undefined, type: String, format: TEXT_FORMAT } : null;
}
