/** The console's form that credits a document: docs/contract.md#console-form-for-a-credit-note. */
import { describe, expect, test } from "vitest";
import { LINES_MAX, UNIT_PRICE_MAX } from "../../src/domain/document-codes.ts";
import { NO_RETRIES } from "../helpers/appliance.ts";
import { CONNECT, openConnectingServer } from "../helpers/connecting.ts";
import { expectPage, fieldsOf, signedIn } from "../helpers/console.ts";
import { buildDocument, buildLine } from "../helpers/documents.ts";
import { invoice } from "../helpers/receipts.ts";
import { forAllTests } from "../helpers/set-up.ts";

const server = forAllTests(() => openConnectingServer({ env: NO_RETRIES }));
const visitor = forAllTests(() => signedIn(server));

/** Issues an invoice of 30.00 (2.5 at 12.00) and 21.00 (6 at 3.50) net. */
async function issued(key = server.testKey, changes = {}): Promise<{ id: string; path: string }> {
  const document = { ...invoice("").document, ...changes };
  const { id } = await server.issued({ document }, { key });
  return { id, path: `/console/documents/${id}/credit` };
}

const preview = async (path: string, changes: Record<string, string> = {}, by = visitor) =>
  by.submit(`${path}/preview`, await by.get(path), changes);

async function creditsOf(id: string) {
  const { mark } = await server.read(`/api/v1/documents/${id}`);
  const credits = [];
  for (const credit of await server.read("/api/v1/documents?type=5.1&limit=100")) {
    const { document } = await server.read(`/api/v1/documents/${credit.id}/contents`);
    if (document.original_marks.includes(mark)) credits.push(credit);
  }
  return credits;
}

describe("the form", () => {
  test("is reached from an issued invoice, and shows what is left of each line", async () => {
    const { id, path } = await issued();
    expect((await visitor.get(`/console/documents/${id}`)).html).toContain(`href="${path}"`);
    const lines = [{ line: 1, quantity: "1.5" }, { line: 2 }];
    const { body } = await server.post(`/api/v1/documents/${id}/credit`, { lines });
    const { html } = await visitor.get(path);
    expect(html).toContain("Credit note for");
    expect(html).toContainAll(/Quantity left"[^>]*><div>1<\/div>/, "€12.00", 'name="quantity-1"');
    expect(html).not.toContain('name="quantity-2"');
    expect(html).toContain("credited in full");
    expect((await visitor.get(`/console/documents/${body.data.id}`)).html).not.toContain("/credit");
  });

  test("issues nothing until the preview is confirmed, and issues what the preview shows", async () => {
    const { id, path } = await issued();
    const shown = await preview(path, { "quantity-1": "1,5", "quantity-2": "0", issue_date: "2026-11-20" });
    expectPage(shown, 200, "€18.00", "€4.32", "€22.32", "20 Nov 2026", "not reserved");
    expect(await creditsOf(id)).toEqual([]);
    const done = await visitor.submit(path, shown);
    const [credit] = await creditsOf(id);
    expect([done.status, done.headers.get("location")]).toEqual([303, `/console/documents/${credit.id}`]);
    expect(credit).toMatchObject({ type: "5.1", net: 1800, vat: 432, issue_date: "2026-11-20" });
    expect((await visitor.follow(done)).html).toContain("The document was accepted");
  });

  test("credits all that is left of the fields left empty", async () => {
    const { id, path } = await issued();
    await visitor.submit(path, await preview(path));
    expect((await creditsOf(id)).map(({ gross }: { gross: number }) => gross)).toEqual([6324]);
    const shown = await visitor.get(path);
    expectPage(shown, 409, "Nothing of this document is left to credit");
    expect(shown.html).toContain(`href="/console/documents/${id}"`);
  });

  test("issues once when it is submitted twice, and says so when it is submitted with other values", async () => {
    const { id, path } = await issued();
    const form = await visitor.get(path);
    const first = await visitor.submit(`${path}/preview`, form, { "quantity-1": "1", "quantity-2": "0" });
    const both = await Promise.all([visitor.submit(path, first), visitor.submit(path, first)]);
    expect(both[0].headers.get("location")).toBe(both[1].headers.get("location"));
    expect(await creditsOf(id)).toHaveLength(1);
    const second = await visitor.submit(`${path}/preview`, form, { "quantity-1": "0.5", "quantity-2": "0" });
    const refused = await visitor.submit(path, second);
    expectPage(refused, 409, "has already issued a document");
    await visitor.submit(path, await visitor.submit(`${path}/preview`, refused));
    expect(await creditsOf(id)).toHaveLength(2);
  });

  test("does not issue more or less than the preview showed", async () => {
    const { id, path } = await issued();
    const shown = await preview(path, { "quantity-2": "0" });
    await server.post(`/api/v1/documents/${id}/credit`, { lines: [{ line: 1, quantity: "1" }] });
    expectPage(await visitor.submit(path, shown), 400, "which is what is left to credit");
    expect(await creditsOf(id)).toHaveLength(1);
  });

  test("takes a document with as many and as large lines as there can be", async () => {
    const line = buildLine({ quantity: "1", unit_price: UNIT_PRICE_MAX });
    const { lines, totals } = buildDocument("1.1", { lines: Array.from({ length: LINES_MAX }, () => line) });
    const { id, path } = await issued(server.testKey, { lines, totals });
    expect((await visitor.submit(path, await preview(path))).status).toBe(303);
    expect((await creditsOf(id)).map(({ gross }: { gross: number }) => gross)).toEqual([totals.gross]);
  });

  test("can be opened again from the preview, with what was typed", async () => {
    const { path } = await issued();
    const form = await visitor.get(path);
    const shown = await visitor.submit(`${path}/preview`, form, { "quantity-1": "1,5", "quantity-2": "0" });
    const again = await visitor.submit(`${path}/change`, shown);
    expect(fieldsOf(again)).toEqual({ ...fieldsOf(form), "quantity-1": "1,5", "quantity-2": "0" });
  });
});

test.each([
  ["a quantity that is not a number", { "quantity-1": "two" }, "quantity-1", "must be a number"],
  ["more than is left", { "quantity-2": "6,5", "quantity-1": "0" }, "quantity-2", "must be at most 6,"],
  ["a day that does not exist", { issue_date: "2026-02-30" }, "issue_date", "must be a calendar date"],
])("%s is described next to its field, and everything typed is kept", async (_what, typed, field, why) => {
  const { path } = await issued();
  const form = await visitor.get(path);
  const shown = await visitor.submit(`${path}/preview`, form, typed);
  expect(shown.status).toBe(400);
  expect(fieldsOf(shown)).toEqual({ ...fieldsOf(form), ...typed });
  const input = new RegExp(`<input id="${field}"[^>]*>`).exec(shown.html)![0];
  expect(input).toContainAll('aria-invalid="true"', new RegExp(`aria-describedby="[^"]*${field}-mistake"`));
  expect(new RegExp(`id="${field}-mistake">([^<]*)<`).exec(shown.html)?.[1]).toContain(why);
  expect(shown.html.match(/aria-invalid/g)).toHaveLength(1);
});

test("leaving out every line is reported", async () => {
  const { path } = await issued();
  expectPage(await preview(path, { "quantity-1": "0", "quantity-2": "0,0" }), 400, "nothing to credit");
});

test("a document of another mode or without existence is not found", async () => {
  const { path } = await issued();
  const live = await signedIn(server, "live");
  expect((await live.get(path)).status).toBe(404);
  expect((await live.post(`${path}/preview`)).status).toBe(404);
  expect((await live.post(path)).status).toBe(404);
  expect((await visitor.get("/console/documents/doc_1/credit")).status).toBe(404);
});

test("a document of an archived merchant is refused with the reason, and what was typed is kept", async () => {
  const { path } = await issued();
  const form = await visitor.get(path);
  await server.post(`/api/v1/merchants/${server.merchant}/archive`, {});
  const shown = await visitor.submit(`${path}/preview`, form, { "quantity-1": "1" });
  await server.post(`/api/v1/merchants/${server.merchant}/unarchive`, {});
  expectPage(shown, 422, "The merchant is archived");
  expect(fieldsOf(shown)["quantity-1"]).toBe("1");
});

test("the form is in Greek for a Greek browser", async () => {
  const { path } = await issued();
  const { html } = await visitor.get(path, { "accept-language": "el" });
  expect(html).toContainAll("Πιστωτικό για το", "Ποσότητα προς πίστωση", "2,5", "Προεπισκόπηση");
});

test("in live mode the confirmation names the merchant and the sum", async () => {
  const { id: merchant, name } = await server.read(`/api/v1/merchants/${server.merchant}`);
  await server.post(`/api/v1/merchants/${merchant}/connections`, CONNECT, { key: server.liveKey });
  server.provider.issues("400000000000001");
  const { path } = await issued(server.liveKey);
  const live = await signedIn(server, "live");
  const { html } = await preview(path, {}, live);
  expect(html).toContain(`Issue 1 document of €63.24, dated 21 Nov 2026, for ${name}? It cannot be undone.`);
});

test("a held appliance shows the reason instead of the form", async () => {
  const { path } = await issued();
  const form = await visitor.get(path);
  const shown = await visitor.submit(`${path}/preview`, form);
  await server.hold();
  for (const refused of [
    await visitor.get(path),
    await visitor.submit(`${path}/preview`, form),
    await visitor.submit(path, shown),
  ]) {
    expectPage(refused, 503, "is on hold after a restore");
  }
});
