/** Reads every page of a provider's list, each as a logged provider call, and waits when the provider asks for a pause. */
import type { CallContext, ListOutcome } from "../../domain/provider-adapter.ts";
import { buildErrorObject } from "../../foundation/errors.ts";
import { openCredentials } from "../../issuing/call-context.ts";
import { callOnce } from "../../issuing/single-call.ts";
import type { Context } from "../../journal/context.ts";
import type { Account } from "./accounts.ts";

/** A longer list never ends. */
const PAGES_MAX = 1000;
/** Pauses in a row before the provider counts as unavailable. */
const WAITS_MAX = 10;
/** If the provider names no pause. */
const DEFAULT_WAIT_MS = 10_000;
const WAIT_MS_MAX = 120_000;

export interface Pacing {
  /** Aborted by Ctrl-C. */
  signal: AbortSignal | undefined;
  /** Resolves after `ms`, or once the signal is aborted. */
  wait(ms: number): Promise<void>;
}

export type ListFailure = Exclude<ListOutcome<never>, { kind: "page" }> | { kind: "interrupted" };
export type ListReading<Item> = { kind: "read"; items: Item[] } | ListFailure;

/** `ask` requests one page from the adapter. */
export async function readList<Item>(
  context: Context,
  account: Account,
  pacing: Pacing,
  ask: (page: string | null, call: CallContext) => Promise<ListOutcome<Item>>,
): Promise<ListReading<Item>> {
  const items: Item[] = [];
  const seen = new Set<string>();
  for (let page: string | null = null; ; ) {
    const outcome: ListOutcome<Item> | { kind: "interrupted" } = await readPage(
      context,
      account,
      pacing,
      page,
      ask,
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

async function readPage<Item>(
  context: Context,
  account: Account,
  { signal, wait }: Pacing,
  page: string | null,
  ask: (page: string | null, call: CallContext) => Promise<ListOutcome<Item>>,
): Promise<ListOutcome<Item> | { kind: "interrupted" }> {
  for (let waits = 0; ; waits += 1) {
    if (signal?.aborted === true) return { kind: "interrupted" };
    const outcome = await askOnce(context, account, (call) => ask(page, call));
    const pauseMs = pauseOf(outcome);
    if (pauseMs === undefined || waits === WAITS_MAX) return outcome;
    await wait(Math.min(pauseMs, WAIT_MS_MAX));
  }
}

/** How long a throttled request has to wait; undefined if it was not throttled. */
function pauseOf(outcome: ListOutcome<unknown>): number | undefined {
  if (outcome.kind !== "not_sent") return undefined;
  if (outcome.retryAfterMs !== undefined) return outcome.retryAfterMs;
  return outcome.error.provider_code === "429" ? DEFAULT_WAIT_MS : undefined;
}

async function askOnce<Item>(
  context: Context,
  { provider, mode, merchantId, connection }: Account,
  ask: (call: CallContext) => Promise<ListOutcome<Item>>,
): Promise<ListOutcome<Item>> {
  const subject = { provider, mode, merchantId, connectionId: connection?.id ?? null, documentId: null };
  const credentials = openCredentials(context, { ...subject, credentials: connection?.credentials ?? null });
  return (await callOnce(context, subject, credentials, "lookup", ask)).outcome;
}
