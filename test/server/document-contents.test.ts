/** GET /documents/{id}/contents: docs/contract.md#document-contents. */
import { beforeAll, expect, test } from "vitest";
import { openServer } from "../helpers/http.ts";
import { invoice } from "../helpers/receipts.ts";
import { forAllTests } from "../helpers/set-up.ts";

let id: string;
const server = forAllTests(openServer);
beforeAll(async () => {
  const { document } = invoice("I-1");
  id = (await server.post("/api/v1/documents", { merchant: server.merchant, document })).body.data.id;
});

test("the contents are the document as accepted, and its lines with their amounts and classification", async () => {
  const { status, body } = await server.get(`/api/v1/documents/${id}/contents`);
  expect(status).toBe(200);
  const { object, document, lines, classification } = body.data;
  expect(object).toBe("document_contents");
  expect(body.data.id).toBe(id);
  expect(document).toMatchObject({
    type: "1.1",
    // Normalised: what was left out has its default.
    customer: { tax_id: { country: "GR", code: "094012834" }, branch: 0 },
    lines: [{ unit: "kg" }, { unit: "piece" }],
    totals: { net: 5100, vat: 1224, gross: 6324 },
  });
  expect(document).not.toHaveProperty("payments");
  const applied = { category: "category1_1", type: "E3_561_001" };
  expect(lines).toEqual([
    { ...document.lines[0], line: 1, net: 3000, vat: 720, gross: 3720, classification: applied },
    { ...document.lines[1], line: 2, net: 2100, vat: 504, gross: 2604, classification: applied },
  ]);
  const { data } = (await server.get(`/api/v1/documents/${id}`)).body;
  expect(classification).toEqual(data.classification);
});
