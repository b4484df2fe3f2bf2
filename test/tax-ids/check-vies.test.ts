/** docs/contract.md#numbers-of-eu-customers */
import { beforeEach, expect, test } from "vitest";
import { overviewJson, reportOverview } from "../../src/books/overview.ts";
import { reportVat } from "../../src/books/period-reports.ts";
import { readContents } from "../../src/documents/contents.ts";
import { checkDueNumbers } from "../../src/tax-ids/check-vies.ts";
import { signedIn } from "../helpers/console.ts";
import {
  buildDocument,
  buildLine,
  CUSTOMERS,
  type DocumentInput,
  NORTHERN_IRELAND,
  TODAY,
} from "../helpers/documents.ts";
import { startFakeVies } from "../helpers/fake-vies.ts";
import { openServer } from "../helpers/http.ts";
import { forEachTest } from "../helpers/set-up.ts";

const DAY_MS = 86_400_000;

const vies = forEachTest(startFakeVies);
const server = forEachTest(() => openServer({ env: { FISCAL_TAX_IDS__REGISTRY_URL: vies.url } }));
beforeEach(async () => {
  await server.storeConnection({ merchant: server.merchant, provider: "registry_direct", mode: "live" });
});

const german = (code: string) => ({ ...CUSTOMERS.eu, tax_id: { country: "DE", code } });
const exempt = (vat_exemption: number) => [buildLine({ vat_category: "exempt", vat_exemption })];

/** Accepts a document, runs what is due, and returns what is known about its customer's number. */
async function viesOf(type: "1.1" | "2.1", changes: Partial<DocumentInput>, mode: "test" | "live" = "live") {
  const document = buildDocument(type, { issue_date: TODAY, ...changes });
  const key = mode === "live" ? server.liveKey : server.testKey;
  const { status, body } = await server.post(
    "/api/v1/documents",
    { merchant: server.merchant, document },
    { key },
  );
  expect([status, body.message]).toEqual([201, undefined]);
  expect(body.data).not.toHaveProperty("vies");
  return { id: body.data.id as string, vies: await answer(body.data.id, mode) };
}

async function answer(id: string, mode: "test" | "live" = "live") {
  await checkDueNumbers(server.appliance);
  return (await readContents(server.appliance, mode, id)).vies;
}

test("accepting contacts nobody; the number is looked up afterwards, once", async () => {
  vies.register("DE", "123456789", { name: "Muster GmbH", address: "Berlin" });
  const document = buildDocument("1.1", {
    issue_date: TODAY,
    customer: german("123456789"),
    lines: exempt(14),
  });
  const sent = { merchant: server.merchant, document };
  const { body } = await server.post("/api/v1/documents", sent, { key: server.liveKey });
  expect(vies.asked).toEqual([]);
  expect((await readContents(server.appliance, "live", body.data.id)).vies).toEqual({
    valid: null,
    checked_at: null,
  });
  const checked = { valid: true, checked_at: "2026-11-21T09:00:00.000Z" };
  expect(await answer(body.data.id)).toEqual(checked);
  server.advance(DAY_MS);
  expect(await answer(body.data.id)).toEqual(checked);
  expect(vies.asked).toHaveLength(1);
  const visitor = await signedIn(server, "live");
  const { html } = await visitor.get(`/console/documents/${body.data.id}`);
  expect(html).toContain("valid, looked up 2026-11-21");
});

test.each([
  ["goods to a number that is not registered", "1.1", german("200"), 14],
  ["services to one that the registry cannot look up", "2.1", german("1".repeat(16)), 4],
] as const)("%s get a warning, in reports too", async (_what, type, customer, cause) => {
  const { id, vies: found } = await viesOf(type, { customer, lines: exempt(cause) });
  expect(found).toMatchObject({ valid: false });
  const { appliance } = server;
  const { notes } = await readContents(appliance, "live", id);
  expect(notes).toContainEqual(
    expect.objectContaining({ en: expect.stringContaining("VIES calls the number invalid") }),
  );
  const issued = { status: "issued", phase: "issued", mark: "400000000000001" } as const;
  await appliance.store.write(
    async (trx) =>
      void (await trx.query((db) => db.updateTable("documents").set(issued).where("id", "=", id))),
  );
  const period = { mode: "live", from: TODAY, through: TODAY } as const;
  const [counted] = (await reportVat(appliance, period)).merchants;
  expect(counted!.eu_sales).toMatchObject([
    { country: "DE", code: customer.tax_id.code, vies_invalid: true },
  ]);
  const overview = overviewJson(await reportOverview(appliance, { mode: "live", month: TODAY.slice(0, 7) }));
  expect(overview).toMatchObject({ merchants: [{ issued: 1, vies_invalid: 1 }] });
});

test("a registry that does not answer is asked again a day later", async () => {
  vies.disturb("DE", "MS_UNAVAILABLE");
  const { id, vies: first } = await viesOf("1.1", { customer: german("123456789"), lines: exempt(14) });
  expect(first).toEqual({ valid: null, checked_at: null });
  vies.disturb("DE", undefined);
  vies.register("DE", "123456789", { name: "Muster GmbH", address: "Berlin" });
  expect(await answer(id)).toEqual(first);
  server.advance(2 * DAY_MS);
  expect(await answer(id)).toMatchObject({ valid: true });
});

test.each([
  ["a test key", "1.1", german("123456789"), 14, "test"],
  ["another cause", "1.1", german("123456789"), 27, "live"],
  ["a customer in Greece", "1.1", CUSTOMERS.greek, 14, "live"],
  ["services to Northern Ireland", "2.1", NORTHERN_IRELAND, 4, "live"],
] as const)("nothing is looked up for %s", async (_what, type, customer, cause, mode) => {
  expect((await viesOf(type, { customer, lines: exempt(cause) }, mode)).vies).toBeUndefined();
  expect(vies.asked).toEqual([]);
});
