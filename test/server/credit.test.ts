/** POST /documents/{id}/credit: docs/contract.md#crediting-a-document. */
import { describe, expect, test } from "vitest";
import { acceptDocument } from "../../src/documents/accept.ts";
import { cancelDocument } from "../../src/documents/cancel.ts";
import { NO_RETRIES, CAUSE } from "../helpers/appliance.ts";
import { buildDocument } from "../helpers/documents.ts";
import { openServer, expectError } from "../helpers/http.ts";
import { invoice } from "../helpers/receipts.ts";
import { forAllTests } from "../helpers/set-up.ts";

const server = forAllTests(() => openServer({ env: NO_RETRIES }));

/** Issues an invoice of 30.00 and 21.00 net. */
const issued = (changes = {}, around = {}) =>
  server.issued({ document: { ...invoice("").document, ...changes }, ...around });

const credit = (id: string, body?: unknown, sent = {}) =>
  server.post(`/api/v1/documents/${id}/credit`, body, sent);
const contentsOf = async (id: string) => await server.read(`/api/v1/documents/${id}/contents`);

describe("a credit", () => {
  test("of everything is a 5.1 with the original's parties, lines, pairs, provider and MARK", async () => {
    const own = { category: "category1_3", type: "E3_561_001" };
    const { lines } = invoice("").document as { lines: object[] };
    const original = await issued({ lines: [lines[0], { ...lines[1], income_classification: own }] });
    const { status, body } = await credit(original.id, {
      external_reference: "C-1",
      metadata: { why: "returned" },
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      type: "5.1",
      status: "pending",
      stage: "queued",
      merchant: server.merchant,
      provider: "sandbox",
      issue_date: "2026-11-21",
      external_reference: "C-1",
      metadata: { why: "returned" },
      gross: 6324,
      classification: { source: "line" },
    });
    const [credited, source] = [await contentsOf(body.data.id), await contentsOf(original.id)];
    expect(credited.document.original_marks).toEqual([original.mark]);
    expect(credited.document.customer).toEqual(source.document.customer);
    expect(credited.lines).toEqual(
      source.lines.map((line: { classification: unknown }) => ({
        ...line,
        income_classification: line.classification,
      })),
    );
    await server.settle();
    expect((await server.read(`/api/v1/documents/${body.data.id}`)).status).toBe("issued");
  });

  test.each(["11.1", "11.2"])(
    "of a receipt (%s) is an 11.4 without a customer, paid in cash",
    async (type) => {
      const original = await issued({ type, customer: undefined });
      const { body } = await credit(original.id, { lines: [{ line: 2, quantity: "1" }] });
      expect(body.data).toMatchObject({ type: "11.4", net: 350, vat: 84 });
      const { document, lines } = await contentsOf(body.data.id);
      expect(document).not.toHaveProperty("customer");
      expect(document.original_marks).toEqual([original.mark]);
      const sold = await contentsOf(original.id);
      expect(lines[0].classification).toEqual(sold.lines[1].classification);
      await server.settle();
      const issuedNote = await server.read(`/api/v1/documents/${body.data.id}`);
      expect(issuedNote).toMatchObject({ status: "issued", series: "AL4" });
      expect((await credit(original.id)).body.data).toMatchObject({ net: 4750, vat: 1140 });
      await server.settle();
      expect(await credit(original.id)).toMatchObject({ status: 409, body: { code: "invalid_state" } });
    },
  );

  test("of parts adds up to the original, then nothing is left", async () => {
    const { id } = await issued();
    const first = await credit(id, {
      lines: [
        { line: 1, quantity: "0.5" },
        { line: 2, net: 100 },
      ],
    });
    expect(first.body.data).toMatchObject({ net: 700, vat: 168 });
    const more = await credit(id, {
      lines: [{ line: 2, quantity: "7" }, { line: 1, net: 2401 }, { line: 3 }],
    });
    expect(more.status).toBe(400);
    expect(more.body).toMatchObject({ code: "validation_failed" });
    expect(more.body.message.split("; ").map((text: string) => text.split(":")[0])).toEqual([
      "lines[0].quantity",
      "lines[1].net",
      "lines[2].line",
    ]);
    expect((await credit(id, {})).body.data).toMatchObject({ net: 4400, vat: 1056 });
    expect(await credit(id)).toMatchObject({ status: 409, body: { code: "invalid_state" } });
  });
});

describe("what counts as credited", () => {
  test("two credits at the same time do not credit the same twice", async () => {
    const { id } = await issued();
    const replies = await Promise.all([credit(id), credit(id), credit(id, { lines: [{ line: 1 }] })]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test("a rejected or cancelled credit is free to be made again", async () => {
    const { id } = await issued();
    await credit(id, { metadata: { sandbox: "rejected" } });
    await server.settle();
    const cancelled = await credit(id);
    await server.settle();
    await cancelDocument(server.appliance, cancelled.body.data.id, CAUSE);
    expect((await credit(id)).status).toBe(201);
  });

  test("a failed credit cannot be retried once its lines were credited otherwise", async () => {
    const { id } = await issued();
    const failed = (await credit(id, { metadata: { sandbox: "unavailable" } })).body.data;
    await server.settle();
    const part = (
      await credit(id, { lines: [{ line: 2, quantity: "6" }], metadata: { sandbox: "rejected" } })
    ).body.data;
    expectError(await server.post(`/api/v1/documents/${failed.id}/retry`, undefined), 409, "invalid_state");
    await server.settle();
    expect((await server.read(`/api/v1/documents/${part.id}`)).status).toBe("rejected");
    expect((await server.post(`/api/v1/documents/${failed.id}/retry`, undefined)).status).toBe(200);
  });

  test("a credit note of the caller's own counts by its VAT category, whichever lines it means", async () => {
    const original = await issued();
    const lines = [
      { description: "Έκπτωση", quantity: "1", unit_price: 3100, vat_category: "standard" as const },
    ];
    const document = buildDocument("5.1", { original_marks: [original.mark], lines });
    await acceptDocument(server.appliance, { merchant: server.merchant, document }, CAUSE);
    const more = await credit(original.id, { lines: [{ line: 1 }, { line: 2 }] });
    expect(more).toMatchObject({ status: 400, body: { message: expect.stringContaining("lines[1].line") } });
    const { body } = await credit(original.id);
    expect(body.data).toMatchObject({ net: 2000, vat: 480 });
    expect((await credit(original.id)).status).toBe(409);
  });
});

test("repeated with its key, a credit returns the same bytes, and needs nothing to be left", async () => {
  const { id } = await issued();
  const headers = { "idempotency-key": "credit-once" };
  const body = { lines: [{ line: 1 }, { line: 2 }] };
  const first = await credit(id, body, { headers });
  await server.settle();
  const again = await credit(id, body, { headers });
  expect(again.status).toBe(201);
  expect(again.text).toBe(first.text);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

test("a document is not credited, with 409, if it is of another type, not issued or cancelled", async () => {
  const note = (await credit((await issued()).id)).body.data;
  await server.settle();
  const rejected = await issued({}, { metadata: { sandbox: "rejected" } });
  const cancelled = await issued();
  await cancelDocument(server.appliance, cancelled.id, CAUSE);
  for (const { id } of [note, rejected, cancelled])
    expect(await credit(id)).toMatchObject({ status: 409, body: { code: "invalid_state" } });
});

test("with a date in the future is issued by the plain sandbox, with a warning", async () => {
  const { id } = await issued();
  const { status, body } = await credit(id, { issue_date: "2026-11-22" });
  expect(status).toBe(201);
  expect(body.data.classification.warnings).toContain("issue_date: must not be after today in Athens");
});

test("the paths of problems are those of the body", async () => {
  const { id } = await issued();
  const bodies: [object, string][] = [
    [{ issue_date: "2026-02-30" }, "issue_date: "],
    [{ lines: [] }, "lines: "],
    [{ lines: [{ line: 0 }] }, "lines[0].line: "],
    [
      {
        lines: [
          { line: 1, quantity: "0.5" },
          { line: 1, net: 5 },
        ],
      },
      "lines[1].line: ",
    ],
    [{ lines: [{ line: 1, quantity: "1", net: 5 }] }, "lines[0].net: "],
    [{ lines: [{ line: 1, quantity: "-1" }] }, "lines[0].quantity: "],
    [{ lines: [{ line: 1, vat: 5 }] }, "lines[0].vat: "],
    [{ merchant: server.merchant }, "merchant: "],
  ];
  for (const [body, path] of bodies)
    expect(await credit(id, body)).toMatchObject({
      status: 400,
      body: { code: "validation_failed", message: expect.stringContaining(path) },
    });
});
