// docs/contract.md#identifiers
import { expect, test } from "vitest";
import { forAllTests } from "../../helpers/set-up.ts";
import { buildDocument, useCanonical } from "../helpers/canonical.ts";
import {
  CALLS,
  DOCUMENTS,
  EVENTS,
  idForm,
  INSTANT,
  type Json,
  MERCHANTS,
  REQUESTS,
} from "../helpers/bench.ts";

const { server, expectTaken, expectRefused } = useCanonical();
/** One of each resource. */
const made: Record<string, Json> = forAllTests(async () => {
  const hook = { url: "https://shop.example/webhooks", enabled_events: ["*"] };
  const document = await server.finished({}, { provider: "sandbox" });
  return {
    document,
    merchant: await server.read(`${MERCHANTS}/${server.merchant}`),
    connection: await server.connect(),
    "connect session": (await server.post(`${MERCHANTS}/${server.merchant}/connect_sessions`, {})).body.data,
    "webhook endpoint": (await server.post("/api/v1/webhook_endpoints", hook)).body.data,
    event: (await server.read(EVENTS))[0],
    "provider call": (await server.read(`${CALLS}?document=${document.id}`))[0],
    "logged API request": (await server.read(REQUESTS))[0],
  };
});

test.each([
  ["document", "doc", (id: string) => `${DOCUMENTS}/${id}`],
  ["merchant", "mer", (id: string) => `${MERCHANTS}/${id}`],
  ["connection", "con", (id: string) => `/api/v1/connections/${id}`],
  ["event", "evt", (id: string) => `${EVENTS}/${id}`],
  ["provider call", "pcl", (id: string) => `${CALLS}/${id}`],
  ["logged API request", "rql", (id: string) => `${REQUESTS}/${id}`],
  ["connect session", "cs", (id: string) => `/api/v1/connect_sessions/${id}`],
  ["webhook endpoint", "we", (id: string) => `/api/v1/webhook_endpoints/${id}`],
])(
  "%s: %s_ and 22 characters from 0-9 A-Z a-z, by which it can be retrieved",
  async (resource, prefix, path) => {
    const { id } = made[resource];
    expect(id).toMatch(idForm(prefix));
    expect((await server.read(path(id))).id).toBe(id);
    expect((await server.get(path(`${id}0`))).status).toBe(404);
  },
);

test("timestamps are ISO 8601 in UTC ending in Z", () => {
  const names = /^(created|updated|verified_at|expires_at|settled_at|started_at)$/;
  const instants = Object.values(made).flatMap((object) =>
    Object.entries(object).filter(([name, value]) => names.test(name) && value !== null),
  );
  expect(instants.length).toBeGreaterThanOrEqual(10);
  for (const [, instant] of instants) expect(instant).toMatch(INSTANT);
});

test("decimals beyond milliseconds are cut off, and the range includes its ends", async () => {
  const [{ id, created }] = await server.read(`${EVENTS}?limit=1`);
  const finer = encodeURIComponent(`${created.slice(0, -1)}999999999Z`);
  for (const end of ["gte", "lte"]) {
    const found = await server.read(`${EVENTS}?created[${end}]=${finer}&limit=100`);
    expect(found.map((event: Json) => event.id)).toContain(id);
  }
});

test("provider values are in the contract's order", async () => {
  const { body } = await server.get("/api/v1/openapi.json");
  const values = "sandbox registry_direct provider_a provider_b provider_c provider_d provider_e";
  expect(body.components.schemas.Document.properties.provider.enum).toEqual(values.split(" "));
});

test("a MARK has 1 to 19 digits, the first not 0", async () => {
  for (const mark of ["1", "9".repeat(19)])
    await expectTaken(buildDocument("5.1", { original_marks: [mark] }));
  for (const mark of ["", "0", "0123", "9".repeat(20), "12a", " 1"]) {
    const document = buildDocument("5.1", { original_marks: [mark] });
    await expectRefused(document, ["original_marks", 0]);
  }
  expect(made["document"].mark).toMatch(/^[1-9][0-9]{0,18}$/);
});
