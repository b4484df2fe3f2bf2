/** Looks up what is on record about the account of a send, where a refusal depends on it (src/domain/outcome-rules.ts). */
import { findMerchantRow } from "../../storage/merchants/merchants.ts";
import { findIssuedSuppliers } from "../../storage/merchants/connections.ts";
import { isSupplierRefusal, limitSupplierRefusals } from "../domain/outcome-rules.ts";
import type { IssueOutcome } from "../domain/provider-adapter.ts";
import type { Context } from "../journal/context.ts";
import type { Group } from "./claimed-group.ts";

/** How many of the merchant's newest documents are searched for other suppliers. */
const SEARCHED_MAX = 1000;

/** Applies `limitSupplierRefusals` to the outcomes of a group. Reads nothing unless a tax number was refused. */
export async function reinterpretSends(
  { store }: Context,
  group: Group,
  outcomes: readonly IssueOutcome[],
): Promise<readonly IssueOutcome[]> {
  const { mode, connectionId, claimed } = group;
  if (connectionId === null || !outcomes.some(isSupplierRefusal)) return outcomes;
  const { merchant_id: merchantId } = claimed[0]!.row;
  const merchantTaxId = (await findMerchantRow(store.read, { id: merchantId }))?.tax_id;
  const search = { merchantId, mode, connectionId, limit: SEARCHED_MAX };
  const issuedSuppliers = await findIssuedSuppliers(store.read, search);
  const sent = outcomes.map((outcome, index) => ({ supplier: claimed[index]!.row.supplier, outcome }));
  return limitSupplierRefusals(sent, { merchantTaxId, issuedSuppliers });
}
