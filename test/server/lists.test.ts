import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openServer, type Server } from "../helpers/http.ts";

let server: Server;
beforeEach(async () => {
  server = await openServer({ env: { FISCAL_RATE_LIMIT__REQUESTS: "0" } });
});
afterEach(() => server.close());

let made = 0;
async function add(count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, () => {
      made += 1;
      return server.post("/api/v1/merchants", { external_id: `list-${made}`, name: "x" });
    }),
  );
}

/** Pages through a list from one end while rows are added between the pages. */
async function walk(
  path: string,
  limit: number,
  forwards: boolean,
  grow: readonly number[],
): Promise<string[]> {
  const seen: string[] = [];
  let cursor = "";
  for (let page = 0; ; page += 1) {
    const { body } = await server.get(`${path}?limit=${limit}${cursor}`);
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    if (forwards) seen.push(...ids);
    else seen.unshift(...ids);
    await add(grow[page] ?? 0);
    if (!body.has_more || ids.length === 0) return seen;
    cursor = forwards ? `&starting_after=${ids.at(-1)}` : `&ending_before=${ids[0]}`;
  }
}

const paths = ["/api/v1/merchants", "/api/v1/events"];

test("returns every id once and in order, forwards, while rows are added", async () => {
  await add(23);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths),
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }),
      async (path, limit, grow) => {
        const before = await walk(path, 100, true, []);
        const seen = await walk(path, limit, true, grow);
        expect(seen).toEqual(before);
      },
    ),
    { numRuns: 15 },
  );
});

test("backwards from the oldest, also reaches what is added meanwhile", async () => {
  await add(17);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths),
      fc.integer({ min: 2, max: 9 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
      async (path, limit, grow) => {
        const all = await walk(path, 100, true, []);
        const oldest = all.at(-1)!;
        const seen = [oldest];
        for (let page = 0; ; page += 1) {
          const { body } = await server.get(`${path}?limit=${limit}&ending_before=${seen[0]}`);
          seen.unshift(...body.data.map(({ id }: { id: string }) => id));
          if (!body.has_more) break;
          await add(grow[page] ?? 0);
        }
        expect(seen).toEqual(await walk(path, 100, true, []));
      },
    ),
    { numRuns: 15 },
  );
});

test("several types are one list in order", async () => {
  await add(3);
  await server.request("POST", `/api/v1/merchants/${server.merchant}/archive`);
  await add(2);
  const all = (await server.get("/api/v1/events?limit=100")).body.data;
  const two = "type=merchant.updated&type=merchant.created";
  const first = (await server.get(`/api/v1/events?${two}&limit=4`)).body;
  const second = (await server.get(`/api/v1/events?${two}&limit=4&starting_after=${first.data[3].id}`)).body;
  expect([...first.data, ...second.data]).toEqual(all);
  expect([first.has_more, second.has_more]).toEqual([true, false]);
});
