/** Checks that an export streams: its memory does not grow with the size of the documents. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Bench, buildIssueBody, openBench } from "../helpers/appliance.ts";
import { literalOf, runModule } from "../helpers/child.ts";
import { acceptDocument } from "../../src/documents/accept.ts";

const CAUSE = { mode: "test", requestId: null, idempotencyKey: null } as const;
const DOCUMENTS = 60;
/** Characters of Greek text, each two bytes in memory, so that all inputs together exceed 80 MB. */
const PADDING = 350_000;

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

test("exports documents that together are larger than the memory", async () => {
  const { appliance } = bench;
  const merchant = await bench.makeMerchant();
  const bodies = Array.from({ length: DOCUMENTS }, () => buildIssueBody(merchant));
  await Promise.all(bodies.map((body) => acceptDocument(appliance, body, CAUSE)));
  const { database: file } = appliance.config.storage;
  const database = new Database(file);
  database.pragma("synchronous = OFF");
  database
    .prepare("update document_inputs set input_json = json_set(input_json, '$.lines[0].description', ?)")
    .run("ω".repeat(PADDING));
  database.close();
  const stdout = await runModule(
    `
    import { openStore } from ${literalOf("storage/open.ts")};
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
