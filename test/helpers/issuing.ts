/** Issues documents from the command line, and reads the results. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import type { Run, RunOptions, Workshop } from "./program.ts";
import { lines } from "./receipts.ts";

export interface DocumentList {
  object: string;
  data: DocumentObject[];
  has_more: boolean;
}

/** Retries undeliverable documents without delay. */
export const NO_DELAYS = { FISCAL_ISSUING__DELAYS_SECONDS: "[0,0,0,0]" };

/** Issues `bodies` for the merchant `shop` from standard input. */
export function issue(
  workshop: Workshop,
  bodies: readonly unknown[],
  args: string[] = [],
  options: RunOptions = {},
): Promise<Run> {
  const all = ["documents", "issue", "-", "--format", "ndjson", "--merchant", "shop", ...args];
  return workshop.run(all, { stdin: lines(bodies), ...options });
}

/** Issues `bodies` and returns their documents, regardless of their outcome. */
export async function issueAll(workshop: Workshop, bodies: readonly unknown[]): Promise<DocumentObject[]> {
  return (await issue(workshop, bodies, ["--json"], { env: NO_DELAYS })).json<DocumentList>().data;
}

/** A CSV of receipts with one line item per row. */
export function csvOf(rows: readonly string[]): string {
  return ["reference,type,issue_date,description,quantity,unit_price,vat_category", ...rows, ""].join("\n");
}

/** Every document of test mode, newest first. */
export async function listed(workshop: Workshop): Promise<DocumentObject[]> {
  return (await workshop.run(["documents", "list", "--all", "--json"])).json<DocumentList>().data;
}

/** The cells of `report.csv`, header first. No cell of these tests contains a comma or line break. */
export async function readReport(workshop: Workshop): Promise<string[][]> {
  const text = await readFile(join(workshop.folder, "report.csv"), "utf8");
  const rows = text
    .replace(/^\ufeff/, "")
    .trimEnd()
    .split("\r\n");
  return rows.map((row) => row.split(","));
}
