/** The rows that any accepting program must write, through plain better-sqlite3 into the same tables. */
import { randomBytes } from "node:crypto";
import Database from "better-sqlite3";

export function openDatabase(file: string): Database.Database {
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  return database;
}

export interface ReferenceStore {
  /** Queues the rows of one document and its logged request for the next commit, with what `also` writes; resolves once they are on disk. */
  accept(body: string, key: string, also?: () => void): Promise<string>;
  /** Writes the four rows of a document at once, inside the caller's transaction. */
  insert(body: string, key: string): string;
}

const NOW = "2026-11-21T10:00:00.000Z";
const SHARES =
  '{"region":"greece","lines":[["standard  category1_1 E3_561_001",3450,828],["reduced  category1_1 E3_561_001",1380,179]]}';
/** One of the documents' indexes is by customer. */
const CUSTOMER_HASH = "SzoFgzGZnznY9emrk3YRqw";
const FINGERPRINT = "8b610804e421a61678e650ea9f86b64f0085a50c064ed556cbf9134134cc391a";
/** Of one request in a row for all of a commit. */
const SEALED_BYTES = 420;

/** `database` was made by fiscal, with the merchant `merchantId`. */
export function openReferenceStore(database: Database.Database, merchantId: string): ReferenceStore {
  const document = database.prepare(
    `insert into documents (id, mode, merchant_id, provider, type, phase, status, issue_date, net, vat, gross, supplier, branch,
     customer_country, customer_hash, series, number_given, classification_source, warnings_json, external_reference, metadata_json, created_at, updated_at,
     attempts, polls, absences, shares_json, next_at)
     values (?, 'test', ?, 'sandbox', '1.1', 'queued', 'pending', '2026-11-02', 4830, 1007, 5837, '123456783', 0,
     'GR', '${CUSTOMER_HASH}', 'TIM', 0, 'line', '[]', ?, '{"order":"1"}', ?, ?, 0, 0, 0, '${SHARES}', ?)`,
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
     merchant_id, document_id, body_id, created_at) values (?, ?, 'test', 'api', 'POST', '/api/v1/documents', 'issueDocument', 201, 3, ?, ?, ?, ?, ?)`,
  );
  const bodies = database.prepare("insert into bodies (id, sealed, created_at) values (?, ?, ?)");
  const begin = database.prepare("begin immediate");
  const commit = database.prepare("commit");

  let counter = 0;
  let waiting: { body: string; key: string; also?: (() => void) | undefined; resolve(id: string): void }[] =
    [];

  const idOf = (prefix: string) => `${prefix}_${String(counter).padStart(22, "0")}`;

  function insert(body: string, key: string): string {
    counter += 1;
    const [id, eventId] = [idOf("doc"), idOf("evt")];
    const snapshot = JSON.stringify({ id, object: "document", status: "pending", body: body.slice(0, 700) });
    document.run(id, merchantId, key, NOW, NOW, NOW);
    input.run(id, Buffer.from(body), '{"sentType":"1.1"}');
    event.run(eventId, snapshot, key, key, id, merchantId, NOW);
    idempotency.run(key, FINGERPRINT, eventId, NOW);
    return id;
  }

  function flush(): void {
    const batch = waiting;
    waiting = [];
    begin.run();
    const bodyId = idOf("rql");
    const ids = batch.map(({ body, key, also }) => {
      const id = insert(body, key);
      request.run(idOf("rql"), key, key, merchantId, id, bodyId, NOW);
      also?.();
      return id;
    });
    bodies.run(bodyId, randomBytes(SEALED_BYTES * batch.length), NOW);
    commit.run();
    for (const [index, job] of batch.entries()) job.resolve(ids[index]!);
  }

  return {
    insert,
    accept: (body, key, also) =>
      new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ body, key, also, resolve });
      }),
  };
}
