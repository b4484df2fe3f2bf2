// docs/contract.md#merchant-object
// docs/contract.md#updating-merchants
// docs/contract.md#limits: Metadata
import { expect, test } from "vitest";
import { buildIssueBody } from "../../helpers/appliance.ts";
import { forAllTests } from "../../helpers/set-up.ts";
import { expectProblem, idForm, type Json, MERCHANTS, NOW, useServer } from "../helpers/bench.ts";

const server = useServer();
const first: Json = forAllTests(async () => {
  const body = {
    external_id: "  Shop-Ά1 ",
    name: " Παράδειγμα ",
    tax_id: "123 456-783",
    metadata: { a: "1" },
  };
  return (await server.post(MERCHANTS, body)).body.data;
});

let count = 0;
/** The response to a creation with these fields in addition to the required ones. */
function create(fields: Record<string, unknown>, sent = {}) {
  count += 1;
  return server.post(MERCHANTS, { external_id: `merchant-${count}`, name: "Name", ...fields }, sent);
}

async function expectTaken(fields: Record<string, unknown>, shown: Record<string, unknown> = fields) {
  const { status, body } = await create(fields);
  expect([status, body.message]).toEqual([201, undefined]);
  expect(body.data).toMatchObject(shown);
}

async function expectRefused(fields: Record<string, unknown>, path: string) {
  expectProblem(await create(fields), path);
}

test("external_id and name are required, the rest is optional, and nothing else is accepted", async () => {
  expect(expectProblem(await server.post(MERCHANTS, {}), "name")).toEqual(["external_id", "name"]);
  const least = await server.post(MERCHANTS, { external_id: "least", name: "Least" });
  expect(least.body.data).toMatchObject({ tax_id: null, branch: 0 });
  expect(least.body.data["metadata"]).toEqual({});
  for (const name of ["colour", "id", "archived", "object"]) {
    await expectRefused({ [name]: "x" }, name);
  }
});

test("every field", () => {
  expect({ ...first }).toEqual({
    id: expect.stringMatching(idForm("mer")),
    object: "merchant",
    external_id: "Shop-Ά1",
    name: "Παράδειγμα",
    tax_id: "123456783",
    branch: 0,
    metadata: { a: "1" },
    archived: false,
    created: expect.stringContaining(NOW.slice(0, 20)),
  });
});

test("external_id: 1 to 200 characters, trimmed, at least one not a space", async () => {
  for (const id of ["x", "ά".repeat(200)]) await expectTaken({ external_id: id });
  await expectTaken({ external_id: ` ${"y".repeat(200)}\t` }, { external_id: "y".repeat(200) });
  for (const id of ["", "   ", "\t\n", "x".repeat(201), 7, null, undefined])
    await expectRefused({ external_id: id }, "external_id");
});

test.each(["Shop-Ά1", "SHOP-Ά1", "shop-ά1", " shop-Ά1 "])(
  "external_id: unique ignoring case, so %s is already taken",
  async (id) => {
    for (const key of [server.testKey, server.liveKey]) {
      const { status, body } = await create({ external_id: id }, { key });
      expect([status, body.code, body.retryable]).toEqual([409, "already_exists", false]);
    }
  },
);

test("name: 1 to 200 characters, trimmed", async () => {
  for (const name of ["x", "ώ".repeat(200)]) await expectTaken({ name });
  for (const name of ["", "  ", "ώ".repeat(201), 7, null, undefined]) await expectRefused({ name }, "name");
});

test("tax_id: a normalised ΑΦΜ, null when not given", async () => {
  await expectTaken({}, { tax_id: null });
  await expectTaken({ tax_id: "09.40-128 34" }, { tax_id: "094012834" });
  await expectTaken({ tax_id: `094012834${" ".repeat(51)}` }, { tax_id: "094012834" });
  for (const taxId of ["123456784", "12345678", "EL123456783", "", `094012834${" ".repeat(52)}`, 123456783])
    await expectRefused({ tax_id: taxId }, "tax_id");
});

test("branch: 0 to 9999, by default 0 for the head office", async () => {
  for (const branch of [0, 9999]) await expectTaken({ branch });
  for (const branch of [-1, 10_000, 0.5, "1", null]) await expectRefused({ branch }, "branch");
});

test("metadata: up to 50 pairs of strings, keys of 1 to 40 characters, values of up to 500", async () => {
  const pairs = (number: number) =>
    Object.fromEntries(Array.from({ length: number }, (_, at) => [`k${at}`, "v"]));
  await expectTaken({}, { metadata: {} });
  for (const metadata of [pairs(50), { k: "" }, { ["κ".repeat(40)]: "ά".repeat(500) }])
    await expectTaken({ metadata });
  await expectRefused({ metadata: pairs(51) }, "metadata");
  await expectRefused({ metadata: { "": "v" } }, "metadata.(key)");
  await expectRefused({ metadata: { ["k".repeat(41)]: "v" } }, "metadata.(key)");
  await expectRefused({ metadata: { k: "v".repeat(501) } }, "metadata.k");
  for (const value of [1, null, {}]) await expectRefused({ metadata: { k: value } }, "metadata.k");
  for (const metadata of [[], "text", null]) await expectRefused({ metadata }, "metadata");
});

test("archived: true once archived, which prevents issuing, and false again, with one event each", async () => {
  const flag = async (action: string) =>
    (await server.post(`${MERCHANTS}/${first.id}/${action}`, undefined)).body.data.archived;
  expect([await flag("archive"), await flag("archive")]).toEqual([true, true]);
  const body = buildIssueBody(first.id);
  expect((await server.post("/api/v1/documents", body)).body.code).toBe("connection_unavailable");
  expect((await server.read(`${MERCHANTS}/${first.id}`)).archived).toBe(true);
  expect(await flag("unarchive")).toBe(false);
  expect((await server.post("/api/v1/documents", body)).status).toBe(201);
  const events = await server.read(`/api/v1/events?merchant=${first.id}&type=merchant.updated`);
  expect(events.map(({ data }: Json) => data.previous_attributes.archived)).toEqual([true, false]);
});
