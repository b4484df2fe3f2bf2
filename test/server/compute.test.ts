/** POST /documents/compute: docs/contract.md#compute. */
import { expect, test } from "vitest";
import { buildDocument } from "../helpers/documents.ts";
import { openServer, expectError } from "../helpers/http.ts";
import { forAllTests } from "../helpers/set-up.ts";

const server = forAllTests(openServer);

const COFFEE = { description: "Καφές", quantity: "2", unit_price_gross: 250, vat_category: "standard" };
const { lines: _lines, totals: _totals, ...RECEIPT } = buildDocument("11.1");
const build = (changes: object = {}) => ({ ...RECEIPT, lines: [COFFEE], ...changes });
const compute = (changes: object) => server.post("/api/v1/documents/compute", build(changes));

test("what is computed is issued as it is, for what the customer was told", async () => {
  const { status, body } = await compute({ payments: [{ method: "pos" }] });
  expect(status).toBe(200);
  expect(body.data.totals.gross).toBe(500);
  for (const line of body.data.lines) expect(line).toMatchObject({ unit_price_gross: 250 });
  expect(body.data.payments).toEqual([{ method: "pos", amount: 500 }]);
  expect((await server.get("/api/v1/documents")).body.data).toEqual([]);
  const issued = await server.post("/api/v1/documents", { merchant: server.merchant, document: body.data });
  expect([issued.status, issued.body.data.gross]).toEqual([201, 500]);
  const { warnings } = issued.body.data.classification;
  expect(warnings.filter((text: string) => !text.startsWith("line "))).toEqual([]);
});

test.each<[name: string, changes: object, payments: object[]]>([
  ["none", {}, [{ method: "cash", amount: 500 }]],
  // To the cent, though each needs two lines.
  [
    "none, for prices without a net price",
    { lines: [1, 2].map(() => ({ ...COFFEE, quantity: "1", unit_price_gross: 3 })) },
    [{ method: "cash", amount: 6 }],
  ],
  [
    "one without an amount",
    { payments: [{ method: "pos", amount: 120 }, { method: "cash" }] },
    [
      { method: "pos", amount: 120 },
      { method: "cash", amount: 380 },
    ],
  ],
  ["all", { payments: [{ method: "pos", amount: 500 }] }, [{ method: "pos", amount: 500 }]],
  [
    "one, with taxes",
    { taxes: [{ kind: "fees", amount: 10 }], payments: [{ method: "pos" }] },
    [{ method: "pos", amount: 510 }],
  ],
])("payments: %s", async (_name, changes, payments) => {
  expect((await compute(changes)).body.data.payments).toEqual(payments);
});

test.each<[changes: object, message: string]>([
  [{ lines: [{ ...COFFEE, unit_price: 1 }] }, "lines[0].unit_price: is not a known field"],
  [{ lines: [{ ...COFFEE, unit_price_gross: undefined }] }, "lines[0].unit_price_gross: is required"],
  [{ lines: [] }, "lines: must"],
  [{ totals: { net: 1, vat: 1, gross: 2 } }, "totals: is not a known field"],
  [{ payments: [{ method: "pos", amount: 499 }] }, "payments: must add up to what is payable, 500"],
  [{ payments: [{ method: "pos", amount: 501 }, { method: "cash" }] }, "payments: must add up to what"],
  [{ payments: [{ method: "pos" }, { method: "cash" }] }, "payments[1].amount: is required"],
  [{ customer: { tax_id: { country: "GR", code: "094012834" } } }, "customer: is not allowed"],
  [
    {
      lines: Array.from({ length: 12 }, () => ({
        ...COFFEE,
        quantity: "999999999",
        unit_price_gross: 10 ** 11,
      })),
    },
    "the lines add up to more",
  ],
])("%j is refused", async (changes, message) => {
  expectError(await compute(changes), 400, "validation_failed", message);
});
