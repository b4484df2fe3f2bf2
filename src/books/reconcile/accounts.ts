/** Finds the accounts whose lists are compared: one for each connection, and the sandbox. */
import type { ComparedRow } from "../../../storage/documents/compared-documents.ts";
import { findConnectionsInUse } from "../../../storage/documents/compared-documents.ts";
import type { ConnectionRow } from "../../../storage/merchants/connections.ts";
import { findMerchantRow } from "../../../storage/merchants/merchants.ts";
import type { Mode, Provider } from "../../../storage/stored-values.ts";
import type { Context } from "../../journal/context.ts";

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
    const merchant = (await findMerchantRow(store.read, owner))?.external_id ?? owner;
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
