/** A merchant is named by id or external id everywhere on the command line (decisions 13). */
import type { Context } from "../../src/journal/context.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";

/** The merchant that `name` names, the external id ignoring case. Throws `not_found`. */
export async function merchantNamed(context: Context, name: string): Promise<MerchantObject> {
  const { findMerchantByName } = await import("../../src/merchants/merchants.ts");
  return findMerchantByName(context, name);
}

/** The same for a filter that may be left out. */
export async function merchantIdOf(context: Context, name: string | undefined): Promise<string | undefined> {
  return name === undefined ? undefined : (await merchantNamed(context, name)).id;
}
