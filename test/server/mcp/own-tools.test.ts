import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, test } from "vitest";
import { buildIssueBody } from "../../helpers/appliance.ts";
import { bodyOf, call, dataOf, openMcpServer } from "../../helpers/mcp.ts";
import { forAllTests } from "../../helpers/set-up.ts";

let client: Client;
let issued: string;
const server = forAllTests(openMcpServer);
beforeAll(async () => {
  client = await server.connect();
  const refused = { metadata: { sandbox: "rejected" } };
  issued = dataOf(await call(client, "issue_document", buildIssueBody(server.merchant))).id;
  await server.settle();
  dataOf(await call(client, "issue_document", buildIssueBody(server.merchant, refused)));
  await server.settle();
});

const line = (quantity: string, unit_price: number, vat_category: string) => ({
  quantity,
  unit_price,
  vat_category,
});

test("compute_totals rounds each line half up to the cent, and adds up by VAT category", async () => {
  const lines = [line("2.5", 99, "standard"), line("1", 250, "reduced"), line("1", 1, "standard")];
  expect(dataOf(await call(client, "compute_totals", { lines }))).toEqual({
    totals: { net: 499, vat: 93, gross: 592 },
    lines: [
      { net: 248, vat: 60 },
      { net: 250, vat: 33 },
      { net: 1, vat: 0 },
    ],
    vat: [
      { category: "standard", net: 249, vat: 60 },
      { category: "reduced", net: 250, vat: 33 },
    ],
  });
});

test.each([
  [{}, /^lines: is required$/],
  [{ lines: [] }, /^lines: /],
  [{ lines: [line("1,5", 1, "standard")] }, /^lines\[0\]\.quantity: must be a decimal string/],
  [{ lines: [line("1", 1, "24")] }, /^lines\[0\]\.vat_category: must be one of/],
  [{ lines: [line("999999999", 100_000_000_000, "standard")] }, /^lines: net and VAT may/],
  [{ lines: [line("1", 1, "standard")], currency: "EUR" }, /^currency: is not a/],
])("compute_totals refuses %j", async (given, message) => {
  const result = await call(client, "compute_totals", given);
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { code: "validation_failed", message: expect.stringMatching(message) },
  });
});

describe("the numbers", () => {
  test("are shown with the next one and the released ones", async () => {
    const { counters } = dataOf<{ counters: object[] }>(
      await call(client, "show_numbering", { merchant: server.merchant }),
    );
    expect(counters).toMatchObject([{ mode: "test", next_number: 3, released: [2] }]);
  });

  test("are accounted for, with those that were not issued", async () => {
    const summary = dataOf(await call(client, "audit_numbering"));
    expect(summary).toMatchObject({
      counters: [
        {
          mode: "test",
          first_number: 1,
          next_number: 3,
          counts: { issued: 1, reserved: 0, released: 1, abandoned: 0, passed: 0 },
          not_issued: [{ number: 2, state: "released" }],
        },
      ],
      holes: [],
    });
    expect(dataOf(await call(client, "audit_numbering", { series: "Z" }))).toMatchObject({ counters: [] });
  });

  test("of the other mode are not shown to a key", async () => {
    const live = await server.connect({ key: server.liveKey });
    expect(dataOf(await call(live, "show_numbering"))).toEqual({ counters: [] });
    expect(dataOf(await call(live, "audit_numbering"))).toEqual({ counters: [], holes: [] });
  });

  test("of an unknown or malformed merchant are an error", async () => {
    const bodyFor = async (merchant: string) => bodyOf(await call(client, "show_numbering", { merchant }));
    expect(await bodyFor("mer_0000000000000000000000")).toMatchObject({ code: "not_found" });
    expect(await bodyFor("shop")).toMatchObject({ code: "validation_failed" });
  });

  test("are not read when they are too many to read at once", async () => {
    await server.appliance.store.write(async (trx) => {
      await trx.query((db) => db.updateTable("series").set({ next_number: 60_000 }));
    });
    const result = await call(client, "audit_numbering", { merchant: server.merchant });
    expect(result.structuredContent).toMatchObject({ code: "not_supported" });
  });
});

test("get_document_pdf returns the file as a resource, after its name and size", async () => {
  const result = await call(client, "get_document_pdf", { id: issued });
  const described = dataOf<{ name: string; bytes: number }>(result);
  expect(described).toMatchObject({ object: "file", content_type: "application/pdf" });
  const [, file] = result.content;
  if (file?.type !== "resource" || !("blob" in file.resource)) return expect.fail("there is no file");
  const bytes = Buffer.from(file.resource.blob, "base64");
  expect([bytes.subarray(0, 5).toString(), bytes.byteLength]).toEqual(["%PDF-", described.bytes]);
  expect(file.resource).toMatchObject({
    mimeType: "application/pdf",
    uri: `fiscal://documents/${issued}/${described.name}`,
  });
});

test("get_document_pdf says that a document without a MARK has none", async () => {
  const { data } = (await call(client, "list_documents", { status: "rejected" })).structuredContent as {
    data: { id: string }[];
  };
  const result = await call(client, "get_document_pdf", { id: data[0]!.id });
  expect(result).toMatchObject({ isError: true, structuredContent: { code: "pdf_not_ready" } });
});
