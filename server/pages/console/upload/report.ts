/** The report of an upload as CSV, with the columns of `documents issue --report`. */
import { BYTE_ORDER_MARK, csvRow, withoutFormula } from "../../../../src/foundation/csv.ts";
import type { Verdict } from "../../../../src/intake/accept-items.ts";
import { type Reply, type Visit } from "../visit.ts";
import { type Outcome, outcomesOf } from "./result-part.ts";
import { refusalText } from "./preview-part.ts";

const COLUMNS = ["reference", "id", "status", "series", "number", "mark", "error"];

export async function reportFile(visit: Visit, verdicts: readonly Verdict[]): Promise<Reply> {
  const rows = (await outcomesOf(visit, verdicts)).map(cellsOf);
  const text = [COLUMNS, ...rows].map((cells) => csvRow(cells, ";")).join("");
  const body = new Uint8Array(Buffer.from(`${BYTE_ORDER_MARK}${text}`));
  return { kind: "file", type: "text/csv; charset=utf-8", name: "report.csv", body };
}

function cellsOf({ verdict, document }: Outcome): string[] {
  const error = verdict.outcome === "refused" ? refusalText(verdict).en : document?.error?.message;
  const number = document?.number ?? null;
  return [
    withoutFormula(verdict.reference ?? ""),
    document?.id ?? "",
    document?.status ?? verdict.outcome,
    withoutFormula(document?.series ?? ""),
    number === null ? "" : String(number),
    document?.mark ?? "",
    withoutFormula(error ?? ""),
  ];
}
