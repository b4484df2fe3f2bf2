/** Checks that an export streams: its memory does not grow with the size of the documents. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildIssueBody, CAUSE, openBench } from "../helpers/appliance.ts";
import { literalOf, runModule } from "../helpers/child.ts";
import { findDocumentInput } from "../../storage/documents/documents.ts";
import { acceptDocument } from "../../src/documents/accept.ts";
import { placeIn } from "../../storage/encryption/sealed.ts";
import { forEachTest } from "../helpers/set-up.ts";

const DOCUMENTS = 60;
/** Characters of Greek text, each two bytes in memory, so that all inputs together exceed 80 MB. */
const PADDING = 350_000;

const bench = forEachTest(openBench);

/** Gives a stored document a description of this length. */
async function padContents(id: string): Promise<void> {
  await bench.appliance.store.write(async (trx) => {
    const contents = JSON.parse((await findDocumentInput(trx, id))!.input_json);
    contents.lines[0].description = "ω".repeat(PADDING);
    const sealed = trx.cipher.seal(placeIn("document_inputs", id), JSON.stringify(contents));
    await trx.query((db) => db.updateTable("document_inputs").set({ sealed }).where("document_id", "=", id));
  });
}

test("exports documents that together are larger than the memory", async () => {
  const { appliance } = bench;
  const merchant = await bench.makeMerchant();
  const bodies = Array.from({ length: DOCUMENTS }, () => buildIssueBody(merchant));
  const accepted = await Promise.all(bodies.map((body) => acceptDocument(appliance, body, CAUSE)));
  for (const { id } of accepted) await padContents(id);
  const { database: file } = appliance.config.storage;
  const stdout = await runModule(
    `
    import { openStore } from ${literalOf("storage/sqlite/open-sqlite.ts")};
    import { exportDocuments } from ${literalOf("src/books/export-documents.ts")};
    const { readFileSync } = await import("node:fs");
    const masterKey = Buffer.from(readFileSync(${JSON.stringify(join(appliance.config.dataDir, "master.key"))}, "utf8").trim(), "hex");
    const store = await openStore({ file: ${JSON.stringify(file)}, masterKey, nowMs: Date.now });
    const filters = { mode: "test", from: "2026-01-01", through: "2026-12-31", statuses: ["pending"] };
    const seen = await exportDocuments({ store }, filters, async ({ documents }) => {
      let count = 0;
      for await (const document of documents) count += document.gross;
      return count;
    });
    process.stdout.write(String(seen));
    await store.close();
  `,
    ["--max-old-space-size=48"],
  );
  expect(Number(stdout)).toBe(DOCUMENTS * 1033);
});
