import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readSheet } from "read-excel-file/node";
import { beforeEach, expect, test } from "vitest";
import { type ReportRow, startReport } from "../../../../commands/documents/batch/report.ts";
import type { ProgramIo } from "../../../../commands/io.ts";
import { makeFolder } from "../../../helpers/folder.ts";
import { createIo } from "../../../helpers/program.ts";

let folder: string;
let io: ProgramIo;
beforeEach(() => {
  folder = makeFolder();
  io = createIo({ cwd: folder });
});

const ROW: ReportRow = {
  reference: "A-1",
  id: "doc_1",
  status: "issued",
  series: "TIM",
  number: 7,
  mark: "400",
  error: null,
};

test("a report has a byte order mark, a header and a row for each document, and nothing that a spreadsheet would run", async () => {
  const report = await startReport(io, "r.csv");
  await report.add(ROW);
  const refused = { ...ROW, id: null, number: null, mark: null };
  await report.add({ ...refused, reference: 'α "β", γ', series: "-1+2", error: "a\nb" });
  await report.finish();
  expect(await readFile(join(folder, "r.csv"), "utf8")).toBe(
    `\ufeffreference,id,status,series,number,mark,error\r\nA-1,doc_1,issued,TIM,7,400,\r\n"α ""β"", γ",,issued,'-1+2,,,"a\nb"\r\n`,
  );
});

test("a report keeps the old file until it is finished, and leaves nothing if it is discarded", async () => {
  await writeFile(join(folder, "r.csv"), "old");
  const report = await startReport(io, "r.csv");
  await report.add(ROW);
  expect(await readFile(join(folder, "r.csv"), "utf8")).toBe("old");
  await report[Symbol.asyncDispose]();
  expect(await readdir(folder)).toEqual(["r.csv"]);
  expect(await readFile(join(folder, "r.csv"), "utf8")).toBe("old");
});

test("a report whose name ends in .xlsx is a workbook, with MARKs and references as text and numbers as numbers", async () => {
  const report = await startReport(io, "r.XLSX");
  await report.add({ ...ROW, mark: "400000000000001", reference: "007" });
  await report.add({ ...ROW, id: null, series: null, number: null, mark: null, error: "line 3: is empty" });
  await report.finish();
  const rows = await readSheet(await readFile(join(folder, "r.XLSX")));
  expect(rows).toEqual([
    ["reference", "id", "status", "series", "number", "mark", "error"],
    ["007", "doc_1", "issued", "TIM", 7, "400000000000001", null],
    ["A-1", null, "issued", null, null, null, "line 3: is empty"],
  ]);
  expect(await readdir(folder)).toEqual(["r.XLSX"]);
});
