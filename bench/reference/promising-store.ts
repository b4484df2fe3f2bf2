/**
 * Accepts documents with the product's own rules, rows, seals and links in straight code: prepared when they arrive, and written in one
 * commit a turn without an await. The least that its promises cost.
 */
import { hash } from "node:crypto";
import Database from "better-sqlite3";
import type { Appliance } from "../../src/appliance.ts";
import { acceptDocument } from "../../src/documents/accept.ts";
import { parseIssueRequest } from "../../src/documents/issue-request.ts";
import { type PreparedDocument, prepareDocument, readSnapshot } from "../../src/documents/prepare.ts";
import { buildDocumentEvent } from "../../src/journal/append-event.ts";
import type { Cause, IdempotencyUse } from "../../src/journal/context.ts";
import { buildRecord } from "../../src/journal/create-once.ts";
import { fingerprint } from "../../src/journal/idempotency.ts";
import { recordRequest } from "../../src/logs/record-request.ts";
import { parseStrictJson } from "../../server/json.ts";
import { createIdGenerator } from "../../storage/database/ids.ts";
import type { NewRows } from "../../storage/database/session.ts";
import type { Kind, Transaction } from "../../storage/database/write.ts";
import { buildDocument } from "../../storage/documents/documents.ts";
import { createChainEnd } from "../../storage/journal/event-chain.ts";
import { hashNumber } from "../../storage/merchants/customers.ts";
import { buildBody, openBenchAppliance, TEST_CAUSE } from "../material.ts";

export interface PromisingStore {
  /** Accepts a document and logs the exchange; resolves with the response once the document is on disk. */
  accept(text: string, headers: Headers): Promise<string>;
}

interface Waiting {
  prepared: PreparedDocument;
  cause: Cause;
  use: IdempotencyUse;
  resolve(json: string): void;
}

interface Head {
  last_id: string;
  chain_id: string;
  chain: Buffer;
  chain_seal: Buffer;
  epoch: number;
}

type Logged = { kind: Kind<unknown, void>; item: unknown };

export async function openPromisingStore(folder: string, merchantId: string): Promise<PromisingStore> {
  const appliance = await openBenchAppliance(folder);
  // Stores the letterhead.
  await acceptDocument(appliance, buildBody(merchantId, "first"), TEST_CAUSE);
  const snapshot = await readSnapshot(appliance.store.read, merchantId, "test");
  const { auditKey, keys } = await appliance.store.write(async (trx) => ({
    auditKey: trx.auditKey,
    keys: new Set((await trx.query((db) => db.selectFrom("api_keys").select("hash"))).map((row) => row.hash)),
  }));
  const { cipher } = appliance.store;
  const database = new Database(appliance.config.storage.database);
  database.pragma("synchronous = FULL");
  const prepare = (sql: string) => database.prepare<unknown[], never>(sql);
  const [begin, commit] = [prepare("begin immediate"), prepare("commit")];
  const readHead = database.prepare<[], Head>(
    "select last_id, clock_at, erased_keys, epoch, key_check, audit_key, chain_id, chain, chain_seal, state from appliance",
  );
  const findKeys = database.prepare<[string], { key: string }>(
    "select idempotency.key from json_each(?) cross join idempotency where mode = 'test' and operation = 'issueDocument' and idempotency.key = value",
  );
  const saveHead = prepare(
    "update appliance set last_id = ?, clock_at = ?, chain_id = ?, chain = ?, chain_seal = ?",
  );
  const inserts = new Map<string, Database.Statement<unknown[], never>>();
  const ids = createIdGenerator();
  const chain = createChainEnd();
  const { epoch } = readHead.get()!;
  let waiting: Waiting[] = [];
  let logged: Logged[] = [];

  function insertRows(rows: NewRows): Promise<void> {
    for (const [table, some] of Object.entries(rows)) {
      const columns = Object.keys(some[0] ?? {});
      if (columns.length === 0) continue;
      const places = columns.map(() => "?").join();
      const insert =
        inserts.get(table) ?? prepare(`insert into ${table} (${columns.join()}) values (${places})`);
      inserts.set(table, insert);
      for (const row of some as readonly Record<string, unknown>[])
        insert.run(columns.map((column) => row[column]));
    }
    return Promise.resolve();
  }

  function openTransaction(head: Head): Transaction {
    ids.raiseTo(head.last_id);
    chain.open(auditKey, { chainId: head.chain_id, chain: head.chain, mac: head.chain_seal });
    const clockMs = Date.now();
    const nowMs = Math.max(clockMs, ids.lastMs());
    return {
      ...appliance.store.read,
      auditKey,
      cipher,
      clockMs,
      nowMs,
      insertRows,
      extendChain: chain.extend,
      now: new Date(nowMs).toISOString(),
      newId: (prefix) => `${prefix}_${ids.next(nowMs)}`,
    } as Transaction;
  }

  function rowsOf(trx: Transaction, { prepared, cause, use }: Waiting) {
    const { row: decided, request, inputJson, decidedJson } = prepared;
    const id = trx.newId("doc");
    const contents = {
      document_id: id,
      input_json: inputJson,
      decided_json: decidedJson,
      letterhead_id: snapshot.merchant.letterhead_id,
    };
    const { customer } = request.document;
    const customer_hash = customer === undefined ? null : hashNumber(auditKey, customer.tax_id);
    const accepted = { id, ...decided, customer_hash, created_at: trx.now, next_at: trx.now };
    const { document, input, row } = buildDocument(cipher, accepted, contents);
    const created = { type: "document.created", after: row, input: contents, cause } as const;
    const { event, json } = buildDocumentEvent(trx, [], created);
    return {
      json,
      document,
      input,
      event,
      record: buildRecord(trx, "test", use, { id, json, eventId: event.id }),
    };
  }

  function flush(): void {
    const [batch, log] = [waiting, logged];
    [waiting, logged] = [[], []];
    begin.run();
    const head = readHead.get()!;
    const used = findKeys.all(JSON.stringify(batch.map(({ use }) => use.key)));
    if (head.epoch !== epoch || used.length > 0) throw new Error("Neither keys nor settings repeat here");
    const trx = openTransaction(head);
    const rows = batch.map((one) => rowsOf(trx, one));
    void insertRows({
      documents: rows.map(({ document }) => document),
      document_inputs: rows.map(({ input }) => input),
      events: rows.map(({ event }) => event),
      idempotency: rows.map(({ record }) => record),
    });
    // Writes before it first waits.
    if (log[0] !== undefined)
      void log[0].kind.commit(
        trx,
        log.map(({ item }) => item),
      );
    const end = chain.toStore();
    saveHead.run(ids.last(), trx.now, end.chainId, end.chain, end.mac);
    commit.run();
    for (const [index, { resolve }] of batch.entries()) resolve(rows[index]!.json);
  }

  const defer = (kind: unknown, item: unknown) => Promise.resolve(void logged.push({ kind, item } as Logged));
  const logging = { ...appliance, store: { ...appliance.store, defer } } as Appliance;
  let requests = 0;

  return {
    async accept(text, headers) {
      const started = performance.now();
      if (!keys.has(hash("sha256", headers.get("authorization")!.slice("Bearer ".length))))
        throw new Error("The key is unknown");
      const body = parseStrictJson(text);
      const prepared = prepareDocument(
        appliance,
        snapshot,
        parseIssueRequest(appliance, body, "test"),
        "test",
      );
      const key = headers.get("idempotency-key")!;
      const use = { operation: "issueDocument", key, fingerprint: fingerprint({}, body) };
      requests += 1;
      const cause = { mode: "test", requestId: `req_${requests}`, idempotencyKey: key } as const;
      const json = await new Promise<string>((resolve) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ prepared, cause, use, resolve });
      });
      const response = `{"data":${json}}`;
      recordRequest(logging, {
        requestId: cause.requestId,
        mode: "test",
        source: "api",
        method: "POST",
        status: 201,
        isJson: true,
        path: "/api/v1/documents",
        url: "/api/v1/documents",
        operationId: "issueDocument",
        durationMs: Math.round(performance.now() - started),
        createdMs: Date.now(),
        idempotencyKey: key,
        merchantId,
        documentId: null,
        requestHeaders: Object.fromEntries(headers),
        requestBody: text,
        responseHeaders: { "content-type": "application/json" },
        responseBody: response,
      });
      return response;
    },
  };
}
