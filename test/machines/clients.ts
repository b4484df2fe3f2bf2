/** Clients that issue documents over both servers, and repeat every request that was not answered, under the same key. */
import { invoice } from "../helpers/receipts.ts";
import type { Scene } from "./scene.ts";

export interface Orders {
  documents: number;
  series: number;
  /** From 0 up to, not including, 1. */
  random(): number;
}

export interface Accepted {
  /** By idempotency key, the id of the document. */
  readonly ids: ReadonlyMap<string, string>;
  /** How many requests were repeated, by why. */
  readonly repeats: ReadonlyMap<string, number>;
  /** What must not happen. */
  readonly violations: readonly string[];
}

const CLIENTS = 8;
/** How many accepted documents may wait to be filed, so that accepting and issuing go on together. */
const AHEAD_MAX = 200;
const PAUSE_MS = 20;
/** One in so many requests is repeated although it was answered. */
const NEEDLESS = 20;

export const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

export function startClients(scene: Scene, orders: Orders): Accepted & { done: Promise<void> } {
  const ids = new Map<string, string>();
  const repeats = new Map<string, number>();
  const violations: string[] = [];
  let next = 0;

  async function issue(order: number): Promise<void> {
    const reference = `order-${order}`;
    const body = { merchant: scene.merchant, series: `S${order % orders.series}`, ...invoice(reference) };
    for (;;) {
      const id = await post(scene, orders, { reference, body });
      if ("failure" in id) {
        repeats.set(id.failure, (repeats.get(id.failure) ?? 0) + 1);
        await pause(PAUSE_MS);
        continue;
      }
      const known = ids.get(reference) ?? id.id;
      if (known !== id.id) violations.push(`${reference} became ${known} and ${id.id}`);
      ids.set(reference, id.id);
      if (orders.random() * NEEDLESS >= 1) return;
    }
  }

  async function client(): Promise<void> {
    while (next < orders.documents) {
      while (ids.size - scene.registry.ledger.length > AHEAD_MAX) await pause(PAUSE_MS);
      await issue(next++);
    }
  }

  async function work(): Promise<void> {
    await Promise.all(Array.from({ length: CLIENTS }, client));
  }

  return { ids, repeats, violations, done: work() };
}

/** The document's id, or why the request has to be repeated. */
async function post(
  { machines, key }: Scene,
  { random }: Orders,
  { reference, body }: { reference: string; body: object },
): Promise<{ id: string } | { failure: string }> {
  const { url } = machines[random() < 0.5 ? 0 : 1];
  const response = await ask(`${url()}/api/v1/documents`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": reference,
    },
    body: JSON.stringify(body),
  });
  if (response === undefined) return { failure: "no answer" };
  if (response.status === 201) return (response.body as { data: { id: string } }).data;
  const { code } = response.body as { code: string };
  if (response.status !== 503 && code !== "idempotency_in_progress")
    throw new Error(`${reference} got ${response.status}: ${JSON.stringify(response.body)}`);
  return { failure: `${response.status} ${code}` };
}

/** Undefined if the server did not answer completely. */
export async function ask(
  url: string,
  init: RequestInit,
): Promise<{ status: number; body: unknown } | undefined> {
  try {
    const response = await fetch(url, init);
    return { status: response.status, body: await response.json() };
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
