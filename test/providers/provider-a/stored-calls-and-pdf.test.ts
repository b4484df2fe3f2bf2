/** The stored provider calls of provider_a, and its PDF. */
import { beforeEach, describe, expect, test } from "vitest";
import { findDocumentRow } from "../../../storage/documents/documents.ts";
import { findBody } from "../../../storage/logs/logs.ts";
import { findFiling, findPdf } from "../../../src/journal/substance.ts";
import { fetchDuePdfs } from "../../../src/paper/document-pdf.ts";
import { findPdfsGivenUp } from "../../../storage/documents/document-substance.ts";
import { getDocumentPdf } from "../../../src/paper/document-pdf.ts";
import { openExchanges } from "../../../src/logs/log-bodies.ts";
import { disconnectConnection } from "../../../src/connections/connections.ts";
import type { ConnectionObject } from "../../../src/issuing/connection-status.ts";
import { deleteExpiredData } from "../../../src/upkeep/retention/retention.ts";
import { hasPdfTools, withPdf } from "../../helpers/pdf-tools.ts";
import { CAUSE } from "../../helpers/appliance.ts";
import { openProviderABench } from "../../helpers/provider-a-bench.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const bench = forEachTest(openProviderABench);

test("stored calls are complete, one for each exchange, with bodies except for logins", async () => {
  const { fake, connect, calls } = bench;
  await connect();
  const id = await bench.issue("1.1");
  const rows = await calls();
  expect(rows).toHaveLength(fake.requests.length);
  const ofDocument = rows.filter(({ document_id: document }) => document === id);
  expect(ofDocument.map(({ url }) => url!.replace(fake.url, "")).sort()).toEqual([
    "/billing_books",
    "/billing_books",
    "/invoices",
    "/vat_search",
  ]);
  for (const row of ofDocument)
    expect(row).toMatchObject({ body_id: expect.any(String), outcome: "ok", mode: "test" });
});

test("what filed a document is kept with it", async () => {
  const { appliance, connect, issue, calls } = bench;
  await connect();
  const id = await issue("1.1");
  const send = (await calls()).find(({ url }) => url?.endsWith("/invoices"))!;
  const body = (await findBody(appliance.store.read, { id: send.body_id! }))!;
  const { request } = openExchanges(appliance.store.cipher, body)[body.id]!;
  const filing = await findFiling(appliance, id);
  expect(filing).toContain(id);
  expect(JSON.parse(filing!)).toEqual((request as { body: unknown }).body);
});

describe("the PDF", () => {
  let connection: ConnectionObject;
  beforeEach(async () => {
    connection = await bench.connect();
  });

  test.skipIf(!hasPdfTools)(
    "is replaced by ours with the provider's name and authentication code once the credentials are deleted",
    async () => {
      const { appliance } = bench;
      bench.fake.next({ kind: "pending", shape: "full", askings: 1 });
      const id = await bench.accept("11.1");
      await bench.processAll([id]);
      const code = (await findDocumentRow(appliance.store.read, { id }))!.authentication_code;
      expect(code).toMatch(/^[0-9A-F]{40}$/);
      expect(await bench.get(id)).not.toHaveProperty("authentication_code");
      await disconnectConnection(appliance, connection.id, CAUSE);
      bench.advance(31 * DAY_MS);
      await deleteExpiredData(appliance);
      const { bytes } = await getDocumentPdf(appliance, "test", id);
      withPdf(bytes, ({ text }) => {
        expect(text).toContain(`Authentication code ${code}`);
        expect(text).toContain("(Wrapp)");
      });
    },
  );

  test("is fetched soon after issuing, and kept when the connection and its credentials are gone", async () => {
    const { appliance, advance, fake } = bench;
    const id = await bench.issue("11.1");
    for (const seconds of [5, 10, 20]) {
      advance(seconds * 1000);
      await fetchDuePdfs(appliance);
    }
    const expected = `%PDF-1.4\n% ${fake.ledger[0]!.mark}`;
    expect((await findPdf(appliance, id))!.toString()).toContain(expected);
    const [stored] = await appliance.store.read.query((db) => db.selectFrom("provider_pdfs").selectAll());
    expect(Buffer.from(stored!.sealed!).includes("%PDF")).toBe(false);

    await appliance.store.write((trx) =>
      trx.query((db) => db.updateTable("connections").set({ status: "disconnected", credentials: null })),
    );
    const requests = fake.requests.length;
    advance(DAY_MS);
    await fetchDuePdfs(appliance);
    expect((await getDocumentPdf(appliance, "test", id)).bytes.toString()).toContain(expected);
    expect(fake.requests).toHaveLength(requests);
  });

  test("is no longer tried after ten failures, which doctor can report", async () => {
    const { appliance, advance, fake } = bench;
    const id = await bench.issue("11.1");
    const requests = fake.requests.length;
    await appliance.store.write((trx) =>
      trx.query((db) => db.updateTable("connections").set({ credentials: null })),
    );
    for (let tries = 0; tries < 10; tries += 1) {
      expect(await findPdfsGivenUp(appliance.store.read, { mode: "test", limit: 10 })).toEqual([]);
      advance(2 * DAY_MS);
      await fetchDuePdfs(appliance);
    }
    expect(await findPdfsGivenUp(appliance.store.read, { mode: "test", limit: 10 })).toEqual([id]);
    advance(2 * DAY_MS);
    await fetchDuePdfs(appliance);
    expect(fake.requests).toHaveLength(requests);
    expect(bench.logged.join("\n")).toContain("no longer tried");
  });

  test("leaves no download address in the log", async () => {
    const id = await bench.issue("11.1");
    await getDocumentPdf(bench.appliance, "test", id).catch(() => undefined);
    await getDocumentPdf(bench.appliance, "test", id);
    const signature = /X-Amz-Signature=([0-9a-f]{64})/.exec(bench.fake.requests.at(-1)!.path)![1]!;
    const { store } = bench.appliance;
    const bodies = await store.read.query((db) => db.selectFrom("bodies").selectAll());
    const opened = bodies.map((body) => JSON.stringify(openExchanges(store.cipher, body)));
    expect(opened.join("\n")).toContain("generate_pdf");
    expect(opened.join("\n")).not.toContain(signature);
  });
});
