/** The documents that credit a MARK. */
import { beforeAll, expect, test } from "vitest";
import { creditsOfMark } from "../../storage/documents/documents.ts";
import { openBench } from "../helpers/appliance.ts";
import { buildDocument } from "../helpers/documents.ts";
import { forAllTests } from "../helpers/set-up.ts";

const MARK = "400000000000123";
const OTHER_MARK = "400000000000124";

let merchant: string;
let neighbour: string;
const bench = forAllTests(openBench);
beforeAll(async () => {
  merchant = await bench.makeMerchant();
  neighbour = await bench.makeMerchant("neighbour");
});

function credit(by: string, marks: string[], scene: string): Promise<string> {
  const document = buildDocument("5.1", { original_marks: marks });
  return bench.acceptFor(by, { document, metadata: { sandbox: scene } });
}

test("the credit notes of a MARK are those of the merchant and mode, oldest first, with their status", async () => {
  const rejected = await credit(merchant, [MARK], "rejected");
  const ofBoth = await credit(merchant, [OTHER_MARK, MARK], "issued");
  await credit(neighbour, [MARK], "issued");
  await bench.settle();
  const queued = await credit(merchant, [MARK], "issued");
  const { read } = bench.appliance.store;

  const updated_at = "2026-11-21T09:00:00.000Z";
  const amounts = { net: 833, vat: 200, gross: 1033, cancelled_at: null, updated_at };
  expect(await creditsOfMark(read, { mark: MARK, merchantId: merchant, mode: "test" })).toEqual([
    { id: rejected, status: "rejected", ...amounts },
    { id: ofBoth, status: "issued", ...amounts },
    { id: queued, status: "pending", ...amounts },
  ]);
  expect(await creditsOfMark(read, { mark: OTHER_MARK, merchantId: merchant, mode: "test" })).toMatchObject([
    { id: ofBoth },
  ]);
  expect(await creditsOfMark(read, { mark: MARK, merchantId: merchant, mode: "live" })).toEqual([]);
});
