/** A bare loop that parses a CSV file and writes its rows in large transactions: node bench/reference/batch.ts DATABASE MERCHANT FILE */
import { createReadStream } from "node:fs";
import { parse } from "csv-parse";
import { openDatabase, openReferenceStore } from "./store.ts";

const ROWS_A_TRANSACTION = 500;
const [path = "", merchant = "", file = ""] = process.argv.slice(2);

async function main(): Promise<void> {
  const database = openDatabase(path);
  const store = openReferenceStore(database, merchant);
  let batch: string[][] = [];
  const write = database.transaction(() => {
    for (const record of batch) store.insert(JSON.stringify(documentOf(record)), record[0] ?? "");
  });
  const flush = () => {
    write();
    batch = [];
  };
  const records: AsyncIterable<string[]> = createReadStream(file).pipe(parse({ from_line: 2 }));
  for await (const record of records) {
    batch.push(record);
    if (batch.length === ROWS_A_TRANSACTION) flush();
  }
  flush();
  database.close();
}

/** As large as what the command stores of a row. */
function documentOf([, type, issue_date, country, code, ...line]: readonly string[]): object {
  const [description, quantity, unit, unit_price, vat_category, method] = line;
  return {
    type,
    issue_date,
    currency: "EUR",
    supplier: { tax_id: { country: "GR", code: "123456783" }, branch: 0 },
    customer: { tax_id: { country, code }, branch: 0 },
    lines: [{ description, quantity, unit_price, vat_category, unit }],
    payments: [{ method, amount: 3844 }],
    totals: { net: 3100, vat: 744, gross: 3844 },
  };
}

await main();
