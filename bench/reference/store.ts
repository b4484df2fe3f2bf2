/** The rows that any accepting program must write, through plain better-sqlite3 into the same tables. */
import { randomBytes, randomUUID } from "node:crypto";
import Database from "better-sqlite3";

export interface ReferenceStore {
  /** Queues one document's rows for the next commit; resolves once it is on disk. */
  accept(body: string, key: string): Promise<string>;
  /** Writes the same rows at once, inside the caller's transaction. */
  insert(body: string, key: string): string;
  transaction(work: () => void): void;
  close(): void;
}

const SEALED = randomBytes(420);
const NOW = "2026-11-21T10:00:00.000Z";

/** `file` is a database made by fiscal, with the merchant `merchantId`. */
export function openReferenceStore(file: string, merchantId: string): ReferenceStore {
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  const document = database.prepare(
    `insert into documents (id, mode, merchant_id, provider, type, phase, status, issue_date, net, vat, gross, supplier, branch,
     series, number_given, classification_source, warnings_json, external_reference, metadata_json, created_at, updated_at,
     attempts, polls, absences, next_at)
     values (?, 'test', ?, 'sandbox', '1.1', 'queued', 'pending', '2026-11-02', 4830, 1007, 5837, '123456783', 0,
     'TIM', 0, 'line', '[]', ?, '{"order":"1"}', ?, ?, 0, 0, 0, ?)`,
  );
  const input = database.prepare(
    "insert into document_inputs (document_id, sealed, decided_json) values (?, ?, ?)",
  );
  const event = database.prepare(
    `insert into events (id, type, mode, object_json, request_id, idempotency_key, document_id, merchant_id, created_at, chain)
     values (?, 'document.created', 'test', ?, ?, ?, ?, ?, ?, zeroblob(32))`,
  );
  const idempotency = database.prepare(
    "insert into idempotency (mode, operation, key, fingerprint, event_id, created_at) values ('test', 'issueDocument', ?, ?, ?, ?)",
  );
  const request = database.prepare(
    `insert into requests (id, request_id, mode, source, method, path, operation_id, status, duration_ms, idempotency_key,
     merchant_id, document_id, created_at) values (?, ?, 'test', 'api', 'POST', '/api/v1/documents', 'issueDocument', 201, 3, ?, ?, ?, ?)`,
  );
  const bodies = database.prepare("insert into bodies (id, sealed, created_at) values (?, ?, ?)");
  const begin = database.prepare("begin immediate");
  const commit = database.prepare("commit");

  let counter = 0;
  let waiting: { body: string; key: string; resolve(id: string): void }[] = [];

  function insert(body: string, key: string): string {
    counter += 1;
    const id = `doc_${String(counter).padStart(22, "0")}`;
    const eventId = `evt_${String(counter).padStart(22, "0")}`;
    const logId = `rql_${String(counter).padStart(22, "0")}`;
    const snapshot = JSON.stringify({ id, object: "document", status: "pending", body: body.slice(0, 700) });
    document.run(id, merchantId, key, NOW, NOW, NOW);
    input.run(id, Buffer.from(body), '{"sentType":"1.1"}');
    event.run(eventId, snapshot, key, key, id, merchantId, NOW);
    idempotency.run(key, key, eventId, NOW);
    request.run(logId, key, key, merchantId, id, NOW);
    bodies.run(logId, SEALED, NOW);
    return id;
  }

  function flush(): void {
    const batch = waiting;
    waiting = [];
    begin.run();
    const ids = batch.map(({ body, key }) => insert(body, key));
    commit.run();
    for (const [index, job] of batch.entries()) job.resolve(ids[index]!);
  }

  return {
    insert,
    accept: (body, key) =>
      new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ body, key: key === "" ? randomUUID() : key, resolve });
      }),
    transaction(work) {
      begin.run();
      work();
      commit.run();
    },
    close: () => void database.close(),
  };
}
