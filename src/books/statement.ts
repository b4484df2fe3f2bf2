/** The statement of a customer: its documents and credits of a period, with a running sum (docs/contract.md#customers). */
import { findReadableInputs } from "../../storage/documents/documents.ts";
import { UnreadableContentsError } from "../../storage/database/errors.ts";
import type { CanonicalDocument } from "../domain/canonical-document.ts";
import { type DocumentType, isCreditNote } from "../domain/document-types.ts";
import { payableOf } from "../domain/taxes.ts";
import { readJson } from "../foundation/json.ts";
import { everyPage } from "../foundation/pages.ts";
import { yieldToOthers } from "../foundation/turns.ts";
import type { Text } from "../foundation/text.ts";
import { listDocuments } from "../documents/list-documents.ts";
import type { Context } from "../journal/context.ts";
import { findCustomer, type NamedCustomer } from "../merchants/customers.ts";
import { getMerchant } from "../merchants/merchants.ts";
import type { BooksPeriod } from "./counted-documents.ts";
import type { Sheet } from "./report-sheets.ts";

/** An issued document that is not cancelled. */
export interface StatementRow {
  id: string;
  issue_date: string;
  type: DocumentType;
  series: string | null;
  number: number | null;
  mark: string | null;
  external_reference: string | null;
  /** Cents payable, negative on a credit note. */
  amount: bigint;
  /** The sum of the amounts up to this row. */
  sum: bigint;
}

export type Statement = Awaited<ReturnType<typeof reportStatement>>;

/** Throws `not_found` for the merchant. A customer without documents has no rows. */
export async function reportStatement(
  context: Context,
  { merchantId, mode, country, code }: NamedCustomer,
  { from, through }: Pick<BooksPeriod, "from" | "through">,
) {
  const merchant = await getMerchant(context, merchantId);
  const known = await findCustomer(context.store.read, { merchantId, mode, country, code });
  const rows: StatementRow[] = [];
  let named: string | undefined;
  const filters = {
    merchant: merchantId,
    status: "issued",
    customers: [{ country, code }],
    "issue_date[gte]": from,
    "issue_date[lte]": through,
  } as const;
  for await (const page of everyPage((asked) => listDocuments(context, mode, { ...filters, ...asked }))) {
    const counted = page.filter(({ cancelled_at: cancelled }) => cancelled === null);
    const inputs = await findReadableInputs(
      context.store.read,
      counted.map(({ id }) => id),
    );
    for (const { id, issue_date, type, series, number, mark, external_reference } of counted) {
      const input = inputs.get(id);
      if (input === undefined) throw new UnreadableContentsError(id);
      const document = readJson<CanonicalDocument>(input.input_json);
      named ??= document.customer?.name;
      const payable = BigInt(payableOf(document));
      const amount = isCreditNote(type) ? -payable : payable;
      rows.push({ id, issue_date, type, series, number, mark, external_reference, amount, sum: 0n });
    }
    await yieldToOthers();
  }
  rows.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  let total = 0n;
  for (const row of rows) row.sum = total += row.amount;
  return {
    from,
    to: through,
    merchant: merchant.external_id,
    merchant_name: merchant.name,
    /** The name is the last one that is known; null without one. */
    customer: { country, code, name: known?.name ?? named ?? null },
    /** By issue date. */
    rows,
    total,
  };
}

const keyOf = ({ issue_date: day, id }: StatementRow) => `${day} ${id}`;

export const STATEMENT_HEADS = {
  date: { en: "date", el: "ημερομηνία" },
  document: { en: "document", el: "παραστατικό" },
  number: { en: "number", el: "αριθμός" },
  mark: { en: "MARK", el: "ΜΑΡΚ" },
  amount: { en: "amount", el: "ποσό" },
  sum: { en: "sum", el: "άθροισμα" },
} as const satisfies Record<string, Text>;

export function numberOf({ series, number }: Pick<StatementRow, "series" | "number">): string {
  return `${series ?? ""} ${number ?? ""}`.trim();
}

const SHEET_HEADS = [
  "issue_date",
  "type",
  "series",
  "number",
  "mark",
  "external_reference",
  "amount",
  "sum",
] as const satisfies readonly (keyof StatementRow)[];

export function statementSheets({ rows }: Statement): Sheet[] {
  return [
    { name: "statement", heads: SHEET_HEADS, rows: rows.map((row) => SHEET_HEADS.map((head) => row[head])) },
  ];
}
