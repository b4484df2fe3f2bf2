/** Reads the accounts and the documents here that are compared, and what these add to the VAT return. */
import { type ComparedRow, findComparedPage } from "../../../storage/documents/dated-documents.ts";
import { findConnectionsInUse, type ConnectionRow } from "../../../storage/merchants/connections.ts";
import { getDocumentInput, findDocumentsByMark } from "../../../storage/documents/documents.ts";
import { findSurplusMarksIn } from "../../../storage/documents/surplus-marks.ts";
import type { Mode, Provider } from "../../../storage/stored-values.ts";
import type { CanonicalDocument } from "../../domain/canonical-document.ts";
import type { BoxSums, OwnDocument } from "../../domain/compare-listings.ts";
import { isCreditNote } from "../../domain/document-types.ts";
import type { ListedDocument } from "../../domain/provider-documents.ts";
import { computeVatShares } from "../../domain/totals.ts";
import { TAXED_BOXES } from "../../domain/vat-return.ts";
import { readJson } from "../../foundation/json.ts";
import type { Context } from "../../journal/context.ts";
import { findMerchantRow } from "../../../storage/merchants/merchants.ts";

/** Issue dates, both inclusive. */
export interface Window {
  from: string;
  through: string;
}

const PAGE_ROWS = 500;

/** The documents of all merchants in the period. */
export async function readComparedRows(
  { store }: Context,
  period: Window & { mode: Mode },
): Promise<ComparedRow[]> {
  const rows: ComparedRow[] = [];
  for (;;) {
    const page = await findComparedPage(store.read, period, { after: rows.at(-1), limit: PAGE_ROWS });
    for (const row of page) rows.push(row);
    if (page.length < PAGE_ROWS) return rows;
  }
}

export async function toOwnDocument({ store }: Context, row: ComparedRow): Promise<OwnDocument> {
  const { net, vat, gross } = row;
  return {
    id: row.id,
    phase: row.phase,
    mark: row.mark,
    uid: row.uid,
    issueDate: row.issue_date,
    series: row.series,
    number: row.number === null ? null : String(row.number),
    totals: { net, vat, gross },
    isCancelled: row.cancellation_mark !== null,
    isProviderNumbered: row.provider_numbered === 1,
    countingMarks:
      row.phase === "issued"
        ? await findSurplusMarksIn(store.read, { documentId: row.id, state: "counts" })
        : [],
  };
}

/** The listed MARKs that documents here have which are not in `rows`: with another issue date, or issued just now. */
export async function findMarksElsewhere(
  { store }: Context,
  mode: Mode,
  listed: readonly ListedDocument[],
  rows: readonly ComparedRow[],
): Promise<Set<string>> {
  const known = new Set(rows.map(({ mark }) => mark));
  const elsewhere = new Set<string>();
  for (const { mark } of listed) {
    if (known.has(mark)) continue;
    const documents = await findDocumentsByMark(store.read, { mark });
    if (documents.some((document) => document.mode === mode)) elsewhere.add(mark);
  }
  return elsewhere;
}

/** Taxed sales by box of the VAT return, in cents. */
export async function sumBoxes({ store }: Context, rows: readonly ComparedRow[]): Promise<BoxSums> {
  const sums: BoxSums = {};
  const add = (box: string, cents: number) => {
    sums[box] = (sums[box] ?? 0) + cents;
  };
  for (const { id, type } of rows) {
    const input = await getDocumentInput(store.read, id);
    const sign = isCreditNote(type) ? -1 : 1;
    for (const { category, net, vat } of computeVatShares(
      readJson<CanonicalDocument>(input.input_json).lines,
    )) {
      if (category === "exempt") continue;
      add(TAXED_BOXES[category].net, sign * net);
      add(TAXED_BOXES[category].vat, sign * vat);
    }
  }
  return sums;
}

export interface Account {
  provider: Provider;
  mode: Mode;
  /** The merchant that calls are made for. */
  merchantId: string;
  /** Its external id. */
  merchant: string;
  /** Null for the sandbox, and for documents whose connection is disconnected. */
  connection: ConnectionRow | null;
  /** The documents of the account in the period, by issue date. */
  documents: ComparedRow[];
}

/** In the order of connections, then the sandbox and documents without a connection. `merchantId` limits to one merchant. */
export async function findAccounts(
  context: Context,
  { mode, merchantId }: { mode: Mode; merchantId: string | undefined },
  documents: readonly ComparedRow[],
): Promise<Account[]> {
  const { store } = context;
  const selected = documents.filter((row) => merchantId === undefined || row.merchant_id === merchantId);
  const groups = Map.groupBy(selected, accountName);
  const accounts: Account[] = [];
  const open = async (
    provider: Provider,
    owner: string,
    connection: ConnectionRow | null,
    rows: ComparedRow[],
  ) => {
    const merchant = (await findMerchantRow(store.read, { id: owner }))?.external_id ?? owner;
    accounts.push({ provider, mode, merchantId: owner, merchant, connection, documents: rows });
  };
  for (const connection of await findConnectionsInUse(store.read, { mode, merchantId })) {
    const name = accountName(connection);
    await open(connection.provider, connection.merchant_id, connection, groups.get(name) ?? []);
    groups.delete(name);
  }
  for (const rows of groups.values()) await open(rows[0]!.provider, rows[0]!.merchant_id, null, rows);
  return accounts;
}

/** All merchants share the sandbox. */
function accountName({
  provider,
  merchant_id: merchantId,
}: Pick<ComparedRow, "provider" | "merchant_id">): string {
  return provider === "sandbox" ? provider : `${provider} ${merchantId}`;
}
