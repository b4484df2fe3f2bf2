import { afterEach, beforeEach, expect, test } from "vitest";
import { openServer, type Server } from "../helpers/http.ts";

let server: Server;
beforeEach(async () => {
  server = await openServer();
});
afterEach(() => server.close());

const MERCHANTS = "/api/v1/merchants";
const create = (body: unknown, sent = {}) => server.post(MERCHANTS, body, sent);
const one = () => `${MERCHANTS}/${server.merchant}`;

test("creates a merchant with its fields trimmed and normalised, visible in both modes", async () => {
  const { status, body } = await create({
    external_id: " A-1 ",
    name: " Καφενείο ",
    tax_id: "094 012-834",
    branch: 3,
    metadata: { k: "" },
  });
  expect(status).toBe(201);
  const merchant = {
    external_id: "A-1",
    name: "Καφενείο",
    tax_id: "094012834",
    branch: 3,
    metadata: { k: "" },
    archived: false,
  };
  expect(body.data).toMatchObject({ object: "merchant", ...merchant });
  expect((await server.get(`${MERCHANTS}/${body.data.id}`, { key: server.liveKey })).body.data).toEqual(
    body.data,
  );
  const { data } = (await server.get(`/api/v1/events?merchant=${body.data.id}`)).body;
  expect(data).toMatchObject([{ type: "merchant.created", data: { object: body.data } }]);
  expect(
    (await server.get(`/api/v1/events?merchant=${body.data.id}`, { key: server.liveKey })).body.data,
  ).toEqual([]);
});

test.each([
  [{ external_id: "x" }, "name: is required"],
  [{ external_id: "  ", name: "x" }, "external_id: must have 1 to 200 characters"],
  [{ external_id: "x", name: "x".repeat(201) }, "name: must have 1 to 200 characters"],
  [{ external_id: "x", name: "x", tax_id: "123456789" }, "tax_id: must be a Greek tax number"],
  [{ external_id: "x", name: "x", branch: 10_000 }, "branch: must be at most 9999"],
  [{ external_id: "x", name: "x", branch: 1.5 }, "branch: must be an integer"],
  [{ external_id: "x", name: "x", metadata: { k: 1 } }, "metadata.k: must be a string"],
  [
    {
      external_id: "x",
      name: "x",
      metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, ""])),
    },
    "metadata: must have at most 50 pairs",
  ],
])("%j is rejected", async (body, message) => {
  const reply = await create(body);
  expect(reply.status).toBe(400);
  expect(reply.body.message).toContain(message);
});

test("a taken external_id is a conflict whatever its case, and the key stays free", async () => {
  const headers = { "idempotency-key": "k" };
  expect((await create({ external_id: "SHOP", name: "x" }, { headers })).body.code).toBe("already_exists");
  expect((await create({ external_id: "other", name: "x" }, { headers })).status).toBe(201);
  const again = await create({ external_id: "other", name: "x" }, { headers });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

test("PATCH changes the given fields, merges metadata, and emits what changed", async () => {
  const patch = (body: unknown) => server.request("PATCH", one(), { body });
  await patch({ metadata: { a: "1", b: "2" } });
  const { body } = await patch({ name: "Νέο όνομα", tax_id: null, metadata: { a: null, c: "3" } });
  expect(body.data).toMatchObject({ name: "Νέο όνομα", tax_id: null, metadata: { b: "2", c: "3" } });
  const [event] = (await server.get("/api/v1/events?type=merchant.updated")).body.data;
  expect(event.data.previous_attributes).toEqual({
    name: "Παράδειγμα Α.Ε.",
    tax_id: "123456783",
    metadata: { a: "1", b: "2" },
  });
  await patch({ name: "Νέο όνομα" });
  expect((await server.get("/api/v1/events?type=merchant.updated")).body.data).toHaveLength(2);
  await create({ external_id: "second", name: "x" });
  expect((await patch({ external_id: "Second" })).body.code).toBe("already_exists");
  expect((await server.request("PATCH", `${MERCHANTS}/mer_x`, { body: {} })).status).toBe(404);
});

test("archiving and unarchiving each emit one event", async () => {
  const say = (verb: string) => server.request("POST", `${one()}/${verb}`);
  expect((await say("archive")).body.data.archived).toBe(true);
  await say("archive");
  expect((await server.get(`${MERCHANTS}?archived=true`)).body.data).toHaveLength(1);
  expect((await say("unarchive")).body.data.archived).toBe(false);
  expect((await server.get("/api/v1/events?type=merchant.updated")).body.data).toHaveLength(2);
});

test("settings are replaced as a whole, and determine classification and numbers", async () => {
  const put = (body: unknown) => server.request("PUT", `${one()}/settings`, { body });
  expect((await server.get(`${one()}/settings`)).body.data).toEqual({
    classification: {},
    numbering: {},
    paper: {},
  });
  const settings = {
    classification: { "1.1": { category: "category1_2", type: "E3_561_001" } },
    numbering: { "1.1": { series: "Β", next_number: 40 } },
    paper: { color: "#aabbcc", language: "el" },
  };
  expect((await put(settings)).body.data).toEqual(settings);
  const { buildIssueBody } = await import("../helpers/appliance.ts");
  const { body } = await server.post("/api/v1/documents", buildIssueBody(server.merchant));
  expect(body.data.classification.source).toBe("override");
  await server.settle();
  expect((await server.get(`/api/v1/documents/${body.data.id}`)).body.data).toMatchObject({
    series: "Β",
    number: 40,
  });
  expect((await put({ paper: {} })).body.data).toEqual({ classification: {}, numbering: {}, paper: {} });
  expect((await put({ colour: 1 })).body.message).toBe("colour: is not a known field");
});

test("the list filters by external id ignoring case, by tax number and by archived", async () => {
  await create({ external_id: "two", name: "x", tax_id: "094012834" });
  const ids = async (query: string) =>
    (await server.get(`${MERCHANTS}?${query}`)).body.data.map(
      (merchant: { external_id: string }) => merchant.external_id,
    );
  expect(await ids("")).toEqual(["two", "shop"]);
  expect(await ids("external_id=SHOP")).toEqual(["shop"]);
  expect(await ids("tax_id=094.012.834")).toEqual(["two"]);
  expect(await ids("archived=true")).toEqual([]);
});

test("metadata keeps every key, even those special to JavaScript", async () => {
  const raw =
    '{"external_id":"odd","name":"x","metadata":{"__proto__":"1","constructor":"2","prototype":"3"}}';
  const { status, text, body } = await server.post(MERCHANTS, undefined, { raw });
  expect(status).toBe(201);
  expect(text).toContain('"metadata":{"__proto__":"1","constructor":"2","prototype":"3"}');
  expect((await server.get(`${MERCHANTS}/${body.data.id}`)).text).toContain('"__proto__":"1"');
  expect(
    (await create({ external_id: "y", name: "x", metadata: { ["k".repeat(41)]: "v" } })).body.message,
  ).toBe("metadata.(key): its key must have 1 to 40 characters");
});
