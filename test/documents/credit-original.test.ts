/** docs/contract.md#crediting-a-document */
import { expect, test } from "vitest";
import { acceptDocument } from "../../src/documents/accept.ts";
import { creditDocument, ownOriginal, readCreditable } from "../../src/documents/credit.ts";
import { CAUSE, openBench } from "../helpers/appliance.ts";
import { buildDocument, buildLine, type DocumentInput } from "../helpers/documents.ts";
import { forEachTest } from "../helpers/set-up.ts";

const bench = forEachTest(openBench);

/** Credits a unit of the first of two lines, and makes the contents of that credit note unreadable. Returns the invoice. */
async function creditUnreadably(changes: Partial<DocumentInput> = {}): Promise<string> {
  const { appliance } = bench;
  const merchant = await bench.makeMerchant();
  const lines = [buildLine({ quantity: "3", unit_price: 100 }), buildLine()];
  const document = buildDocument("2.1", { lines, ...changes });
  const { id } = await acceptDocument(appliance, { merchant, document }, CAUSE);
  await bench.settle();
  const note = await creditDocument(
    appliance,
    ownOriginal(appliance, "test", id),
    { lines: [{ line: 1, quantity: "1" }] },
    CAUSE,
  );
  await appliance.store.write((trx) =>
    trx.query((db) =>
      db
        .updateTable("document_inputs")
        .set({ sealed: Buffer.alloc(99) })
        .where("document_id", "=", note.id)
        .returning("document_id"),
    ),
  );
  return id;
}

const read = (id: string) => readCreditable(bench.appliance, ownOriginal(bench.appliance, "test", id));

test("what is left of a document is known without the contents of credits that name its lines", async () => {
  const { left } = await read(await creditUnreadably());
  expect(left[0]).toMatchObject({ line: 1, quantity: 2000n, net: 200 });
});

test("the contents of all credits of a document with other taxes are read", async () => {
  const taxes: DocumentInput["taxes"] = [{ kind: "withheld", category: 3, base: 300, amount: 60 }];
  const id = await creditUnreadably({ taxes });
  await expect(read(id)).rejects.toThrow("cannot be decrypted");
});
