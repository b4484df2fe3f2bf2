/**
 * An account that may not act for one tax number (the authority's 105): where it issues for another one, that document is
 * refused and the connection stands. Where nothing shows that, or the number is the merchant's own, the account is taken to be
 * refused (decisions 7).
 */
import { findMerchantRow } from "../../storage/merchants.ts";
import { findIssuedSuppliers } from "../../storage/suppliers.ts";
import type { Context } from "../journal/context.ts";
import { buildErrorObject } from "../foundation/errors.ts";
import type { IssueOutcome, RejectedOutcome } from "../domain/provider-adapter.ts";
import type { Group } from "./claims.ts";

/** So many of the merchant's newest documents are looked at for another supplier. */
const LOOKED_AT_MAX = 1000;

/** The outcomes of the group, with a refusal that is one supplier's taken for the document's alone. */
export async function keepToSupplier(
  context: Context,
  group: Group,
  outcomes: readonly IssueOutcome[],
): Promise<readonly IssueOutcome[]> {
  if (group.connectionId === null || !outcomes.some(isOfSupplier)) return outcomes;
  const { merchant_id: merchantId } = group.claimed[0]!.row;
  // The connection is for the merchant's own number before all.
  const own = (await findMerchantRow(context.store.read, merchantId))?.tax_id;
  const accepted = await findAcceptedSuppliers(context, group, group.connectionId, outcomes);
  return outcomes.map((outcome, index) => {
    const { supplier } = group.claimed[index]!.row;
    const isAnothers = supplier !== own && [...accepted].some((other) => other !== supplier);
    return isOfSupplier(outcome) && isAnothers ? refused(outcome) : outcome;
  });
}

type Refusal = Extract<IssueOutcome, { kind: "credentials_refused" }>;

function isOfSupplier(outcome: IssueOutcome): outcome is Refusal {
  return outcome.kind === "credentials_refused" && outcome.isAboutSupplier === true;
}

/** The tax numbers that the account was seen to issue for, in this exchange or before. */
async function findAcceptedSuppliers(
  context: Context,
  group: Group,
  connectionId: string,
  outcomes: readonly IssueOutcome[],
): Promise<Set<string>> {
  const now = group.claimed.filter((_, index) => outcomes[index]?.kind === "issued");
  const suppliers = new Set(now.map(({ row }) => row.supplier));
  const { merchant_id: merchantId } = group.claimed[0]!.row;
  const about = { merchantId, mode: group.mode, connectionId, limit: LOOKED_AT_MAX };
  for (const supplier of await findIssuedSuppliers(context.store.read, about)) suppliers.add(supplier);
  return suppliers;
}

function refused({ error }: Refusal): RejectedOutcome {
  const { provider_code: code, provider_message: words, provider_raw: raw } = error;
  const message =
    "The account of the connection has no right to act for the document's supplier, while it issues for another; correct the supplier, or use a merchant with an account of that tax number, and issue it again";
  return {
    kind: "rejected",
    error: buildErrorObject("provider_rejected", message, {
      ...(code === null ? {} : { providerCode: code }),
      ...(words === null ? {} : { providerMessage: words }),
      ...(raw === undefined ? {} : { providerRaw: raw }),
    }),
  };
}
