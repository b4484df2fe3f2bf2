// docs/contract.md#pagination
import { describe, expect, test } from "vitest";
import {
  CALLS,
  DOCUMENTS,
  EVENTS,
  type Json,
  MERCHANTS,
  noId,
  REQUESTS,
  useServer,
} from "../helpers/bench.ts";

const OTHER = { api_key: "key-of-the-shop", email: "shop@example.com" };
/** One more than a default page. */
const ITEMS = 11;
const ROUNDS = Array.from({ length: ITEMS });
const server = useServer({}, async (opened) => {
  await Promise.all(ROUNDS.map(() => opened.addMerchant()));
  await Promise.all(ROUNDS.map(() => opened.issue({ provider: "sandbox" })));
  await opened.settle();
  // A merchant has one connection to a provider at a time, so the others were disconnected.
  for (let count = 1; count <= ITEMS; count += 1) {
    const body = { provider: "provider_a", credentials: OTHER };
    const { id } = await opened.connect(opened.merchant, {}, body);
    if (count < ITEMS) await opened.post(`/api/v1/connections/${id}/disconnect`, undefined);
  }
});

/** Every list, with the prefix of its ids. */
const LISTS = [
  ["documents", DOCUMENTS, "doc"],
  ["merchants", MERCHANTS, "mer"],
  ["events", EVENTS, "evt"],
  ["provider calls", CALLS, "pcl"],
  ["requests", `${REQUESTS}?operation_id=issueDocument`, "rql"],
  ["connections", "connections", "con"],
] as const;

async function page(path: string, parameters: Record<string, string | number>): Promise<Json> {
  const at = path === "connections" ? `${MERCHANTS}/${server().merchant}/connections` : path;
  const url = new URL(at, "http://here");
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  return (await server().get(url.pathname + url.search)).body;
}

async function ids(path: string, parameters: Record<string, string | number>): Promise<string[]> {
  return (await page(path, parameters)).data.map(({ id }: { id: string }) => id);
}

describe.each(LISTS)("Pagination of %s", (_name, path, prefix) => {
  test("limit: 1 to 100, default 10", async () => {
    const whole = await page(path, { limit: 100 });
    const count = whole.data.length;
    expect(count).toBeGreaterThanOrEqual(ITEMS);
    expect(whole.has_more).toBe(false);
    expect((await page(path, {})).data).toHaveLength(10);
    expect((await page(path, {})).has_more).toBe(true);
    expect((await page(path, { limit: 1 })).data).toEqual(whole.data.slice(0, 1));
    expect(await page(path, { limit: count })).toMatchObject({ has_more: false });
    expect(await page(path, { limit: count - 1 })).toMatchObject({ has_more: true });
    for (const limit of ["0", "101", "-1", "1.5", "ten", ""]) {
      const { code, message } = await page(path, { limit });
      expect([code, message]).toEqual(["validation_failed", expect.stringMatching(/^limit: /)]);
    }
  });

  test("starting_after: the older items after it; an id of another list or an unknown one is rejected", async () => {
    const all = await ids(path, { limit: 100 });
    const seen: string[] = [];
    for (let cursor: Record<string, string> = {}; ; ) {
      const { data, has_more: hasMore } = await page(path, { limit: 4, ...cursor });
      seen.push(...data.map(({ id }: { id: string }) => id));
      expect(hasMore).toBe(seen.length < all.length);
      if (!hasMore) break;
      cursor = { starting_after: seen.at(-1)! };
    }
    expect(seen).toEqual(all);
    expect(await page(path, { starting_after: all.at(-1)! })).toMatchObject({ data: [], has_more: false });
    const wrong = prefix === "doc" ? noId("mer") : noId("doc");
    for (const cursor of [noId(prefix), wrong, "x".repeat(64), "x".repeat(65), ""]) {
      const { code, message } = await page(path, { starting_after: cursor });
      expect([code, message]).toEqual(["validation_failed", expect.stringMatching(/^starting_after: /)]);
    }
  });

  test("ending_before: the newer items before it, still newest first; not together with starting_after", async () => {
    const all = await ids(path, { limit: 100 });
    const seen = [all.at(-1)!];
    for (;;) {
      const { data, has_more: hasMore } = await page(path, { limit: 4, ending_before: seen[0]! });
      seen.unshift(...data.map(({ id }: { id: string }) => id));
      expect(hasMore).toBe(seen.length < all.length);
      if (!hasMore) break;
    }
    expect(seen).toEqual(all);
    expect(await page(path, { ending_before: all[0]! })).toMatchObject({ data: [], has_more: false });
    expect((await page(path, { ending_before: noId(prefix) })).message).toMatch(/^ending_before: /);
    const both = await page(path, { starting_after: all[1]!, ending_before: all[0]! });
    expect([both.code, both.message]).toEqual([
      "validation_failed",
      expect.stringMatching(/^ending_before: /),
    ]);
  });
});
