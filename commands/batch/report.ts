/**
 * `--report F`: a row for each document of the run, for the one who has to look after the rest. A CSV file, or a workbook
 * where its name ends in .xlsx: that one is held in memory until the end.
 */
import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { asUsageError } from "../input.ts";
import type { ProgramIo } from "../io.ts";
import { createWorkbookSheet } from "./report-workbook.ts";
import { REPORT_COLUMNS, type ReportRow, type ReportSheet } from "./report-sheet.ts";

export interface Report {
  add(row: ReportRow): Promise<void>;
  /** Puts the file in its place; until then the old one, if any, stands untouched. */
  finish(): Promise<void>;
  /** Takes the unfinished file away; does nothing once it is finished. */
  discard(): Promise<void>;
}

/** Excel takes a file without a byte order mark for the machine's old code page, and Greek is lost. */
const BYTE_ORDER_MARK = "\ufeff";
const BUFFER_CHARACTERS = 65_536;

/**
 * Begins the report beside its place, so that a path that cannot be written is found before anything is issued. Without
 * a path the report is dropped.
 */
export async function startReport(io: ProgramIo, path: string | undefined): Promise<Report> {
  if (path === undefined) return { async add() {}, async finish() {}, async discard() {} };
  const target = resolve(io.cwd, path);
  const draft = join(dirname(target), `.fiscal-report-${randomUUID()}`);
  try {
    const file = await open(draft, "wx", 0o600);
    const isWorkbook = extname(target).toLowerCase() === ".xlsx";
    const sheet = isWorkbook ? createWorkbookSheet() : createCsvSheet(file);
    return writeReport(file, sheet, draft, target);
  } catch (error) {
    throw asUsageError(error, path);
  }
}

function createCsvSheet(file: FileHandle): ReportSheet {
  let pending = `${BYTE_ORDER_MARK}${REPORT_COLUMNS.join(",")}\r\n`;
  const flush = async () => {
    await file.writeFile(pending);
    pending = "";
  };
  return {
    async add(row) {
      pending += `${REPORT_COLUMNS.map((column) => quote(row[column])).join(",")}\r\n`;
      if (pending.length >= BUFFER_CHARACTERS) await flush();
    },
    end: flush,
  };
}

function writeReport(file: FileHandle, sheet: ReportSheet, draft: string, target: string): Report {
  let isOpen = true;
  return {
    add: (row) => sheet.add(row),
    async finish() {
      await sheet.end(file);
      await file.sync();
      isOpen = false;
      await file.close();
      await rename(draft, target);
    },
    async discard() {
      if (!isOpen) return;
      isOpen = false;
      await file.close();
      await rm(draft, { force: true });
    },
  };
}

/** RFC 4180. Null is an empty cell. */
function quote(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
