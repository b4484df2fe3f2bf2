/** Reads every page of a provider's list, each as a logged provider call, and waits when the provider asks for a pause. */
import type { CallContext, ListOutcome } from "../../domain/provider-adapter.ts";
import { buildErrorObject } from "../../foundation/errors.ts";
import { callWithPauses, type Pacing } from "../../issuing/paced-call.ts";
import type { Context } from "../../journal/context.ts";
import type { Account } from "./accounts.ts";

/** A longer list never ends. */
const PAGES_MAX = 1000;

export type ListFailure = Exclude<ListOutcome<never>, { kind: "page" }> | { kind: "interrupted" };
export type ListReading<Item> = { kind: "read"; items: Item[] } | ListFailure;

/** `ask` requests one page from the adapter. */
export async function readList<Item>(
  context: Context,
  account: Account,
  pacing: Pacing,
  ask: (page: string | null, call: CallContext) => Promise<ListOutcome<Item>>,
): Promise<ListReading<Item>> {
  const { provider, mode, merchantId, connection } = account;
  const route = {
    provider,
    mode,
    merchantId,
    connectionId: connection?.id ?? null,
    documentId: null,
    credentials: connection?.credentials ?? null,
  };
  const items: Item[] = [];
  const seen = new Set<string>();
  for (let page: string | null = null; ; ) {
    const asked: string | null = page;
    const outcome: ListOutcome<Item> | { kind: "interrupted" } = await callWithPauses(
      context,
      route,
      pacing,
      (call) => ask(asked, call),
    );
    if (outcome.kind !== "page") return outcome;
    for (const item of outcome.items) items.push(item);
    page = outcome.next;
    if (page === null) return { kind: "read", items };
    if (seen.has(page) || seen.size === PAGES_MAX) return ENDLESS;
    seen.add(page);
  }
}

const ENDLESS: ListFailure = {
  kind: "unknown",
  error: buildErrorObject("provider_unavailable", {
    en: "The provider's list repeats a page or does not end",
    el: "Ο κατάλογος του παρόχου επαναλαμβάνει σελίδα ή δεν τελειώνει",
  }),
};
