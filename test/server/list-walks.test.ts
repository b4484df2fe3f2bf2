// docs/contract.md#pagination: starting_after; ending_before
// docs/contract.md#limits: Page size
/** Pages through every list in both directions while it grows, and compares each page with a model of the list. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { OPERATIONS } from "../../server/app.ts";
import { openConnectingServer } from "../helpers/connecting.ts";
import { LIST_CASES } from "../helpers/list-cases.ts";
import type { Filter, Item, ListCase } from "../helpers/list-model.ts";
import { forEachTest } from "../helpers/set-up.ts";

const lists = OPERATIONS.filter(({ response }) => response.kind === "list");

const server = forEachTest(() => openConnectingServer({ env: { FISCAL_RATE_LIMIT__REQUESTS: "0" } }));

const LIMIT_DEFAULT = 10;
/** Newest last. The order is that of acceptance, regardless of the clock. */
const CLOCK_STEPS_MS = [-1500, 0, 1, 700];

interface Page {
  ids: string[];
  hasMore: boolean;
}

interface Cursor {
  parameter: "starting_after" | "ending_before";
  id: string;
}

/** The expected page of the list's current items. */
function expectedPage(
  model: readonly Item[],
  filter: Filter,
  limit: number,
  cursor: Cursor | undefined,
): Page {
  const place = cursor === undefined ? model.length : model.findIndex(({ id }) => id === cursor.id);
  const isNewer = cursor?.parameter === "ending_before";
  const side = isNewer ? model.slice(place + 1) : model.slice(0, place);
  const ids = side.filter((item) => filter.has(item)).map(({ id }) => id);
  const nearest = isNewer ? ids.slice(0, limit) : ids.slice(-limit);
  return { ids: nearest.reverse(), hasMore: ids.length > limit };
}

let reads = 0;

/** Reads a page, and compares it with the model at the time of the request. */
async function readPage(
  list: ListCase,
  filter: Filter,
  limit: number | undefined,
  cursor: Cursor | undefined,
): Promise<Page> {
  const expected = expectedPage(list.model, filter, limit ?? LIMIT_DEFAULT, cursor);
  const parameters = [
    filter.query,
    limit === undefined ? "" : `limit=${limit}`,
    cursor === undefined ? "" : `${cursor.parameter}=${cursor.id}`,
  ].filter((parameter) => parameter !== "");
  const requestId = `read-page-${(reads += 1)}`;
  const query = parameters.join("&");
  const { status, text, body } = await server.get(`/api/v1${list.path}?${query}`, {
    headers: { "x-request-id": requestId },
  });
  expect(status, `?${query}: ${text}`).toBe(200);
  const page = { ids: body.data.map(({ id }: Item) => id), hasMore: body.has_more };
  await list.noteRead?.(requestId);
  expect(page, `?${query}`).toEqual(expected);
  return page;
}

interface Walk {
  forwards: boolean;
  limit: number | undefined;
  /** Which filter, and which of its items to start after, modulo the number there is. */
  filter: number;
  start: number | undefined;
  /** What is added after each page, and how far the clock advances before. */
  growth: { choice: number; stepMs: number }[][];
}

const walks: fc.Arbitrary<Walk> = fc.record({
  forwards: fc.boolean(),
  limit: fc.oneof(fc.integer({ min: 1, max: 7 }), fc.constantFrom(undefined, 100)),
  filter: fc.nat(1000),
  start: fc.option(fc.nat(1000), { nil: undefined }),
  growth: fc.array(
    fc.array(fc.record({ choice: fc.nat(1000), stepMs: fc.constantFrom(...CLOCK_STEPS_MS) }), {
      maxLength: 3,
    }),
    { maxLength: 4 },
  ),
});

async function grow(list: ListCase, additions: Walk["growth"][number] = []): Promise<void> {
  for (const { choice, stepMs } of additions) {
    server.advance(stepMs);
    await list.add(choice % list.choices);
  }
}

/** From the newest or any item to the oldest: items added meanwhile do not appear. */
async function walkOlder(list: ListCase, filter: Filter, { limit, start, growth }: Walk): Promise<void> {
  const before = list.model.filter((item) => filter.has(item)).map(({ id }) => id);
  const place = start === undefined || before.length === 0 ? before.length : start % before.length;
  let cursor: Cursor | undefined =
    place === before.length ? undefined : { parameter: "starting_after", id: before[place]! };
  const seen: string[] = [];
  for (let turn = 0; ; turn += 1) {
    const page = await readPage(list, filter, limit, cursor);
    seen.push(...page.ids);
    await grow(list, growth[turn]);
    if (!page.hasMore) break;
    cursor = { parameter: "starting_after", id: page.ids.at(-1)! };
  }
  expect(seen).toEqual(before.slice(0, place).reverse());
}

/** From the oldest or any item to the newest: items added meanwhile are each reached once, then the list ends. */
async function walkNewer(list: ListCase, filter: Filter, { limit, start, growth }: Walk): Promise<void> {
  const before = list.model.filter((item) => filter.has(item)).map(({ id }) => id);
  if (before.length === 0) return;
  const place = (start ?? 0) % before.length;
  const seen = [before[place]!];
  // Each read of the log adds to it, so pages of one item would never end.
  const turnsMax = list.noteRead === undefined ? Infinity : 20;
  for (let turn = 0; ; turn += 1) {
    const page = await readPage(list, filter, limit, { parameter: "ending_before", id: seen.at(-1)! });
    seen.push(...page.ids.reverse());
    if (turn >= growth.length && (!page.hasMore || turn >= turnsMax)) break;
    await grow(list, growth[turn]);
  }
  const after = list.model.filter((item) => filter.has(item)).map(({ id }) => id);
  const end = list.noteRead === undefined ? after.length : place + seen.length;
  expect(seen).toEqual(after.slice(place, end));
}

test("every list is covered by this test", () => {
  expect(Object.keys(LIST_CASES).sort()).toEqual(lists.map(({ id }) => id).sort());
});

test.each(Object.keys(LIST_CASES))(
  "%s: each id once, in order, with the right has_more, while it grows",
  async (id) => {
    const list = await LIST_CASES[id]!(server);
    for (let index = 0; index < 12; index += 1) await list.add(index % list.choices);
    await fc.assert(
      fc.asyncProperty(walks, async (walk) => {
        const filters = list.filters();
        const filter = filters[walk.filter % filters.length]!;
        await (walk.forwards ? walkOlder : walkNewer)(list, filter, walk);
      }),
      // All runs share the list, so a failed walk cannot be repeated on a smaller one.
      { numRuns: 10, endOnFailure: true },
    );
  },
);

test("a logged request is found by its own time, although it was stored later", async () => {
  await server.get("/api/v1/nothing", { headers: { "x-request-id": "arrived-before" } });
  server.advance(40);
  await server.appliance.store.flush();
  const byId = await server.read("/api/v1/requests?request_id=client:arrived-before");
  const { created } = byId[0];
  const byInstant = await server.get(
    `/api/v1/requests?created[gte]=${created}&created[lte]=${created}&status=404`,
  );
  expect(byInstant.body.data).toEqual(byId);
});
