/** The merchants from whom a person chooses one. */
import type { Context } from "../journal/context.ts";
import type { MerchantObject } from "./merchant-object.ts";
import { listMerchants } from "./merchants.ts";

/** Only this many are offered. */
const MERCHANTS_MAX = 2000;
const PAGE_SIZE = 100;

/** The merchants that are not archived, newest first. */
export async function listActiveMerchants(context: Context): Promise<MerchantObject[]> {
  const found: MerchantObject[] = [];
  for (let after: string | undefined; ; after = found.at(-1)?.id) {
    const page = await listMerchants(context, { archived: false, limit: PAGE_SIZE, starting_after: after });
    found.push(...page.data);
    if (!page.has_more || found.length >= MERCHANTS_MAX) return found;
  }
}
