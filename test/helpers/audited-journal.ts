/** A journal with everything in it, and audits of copies that somebody changed without having the master key. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { NotedLink } from "../../src/upkeep/audit/audit-finding.ts";
import { type Audit, audit } from "../../src/upkeep/audit/audit-journal.ts";
import { eraseTaxId } from "../../src/upkeep/retention/erase-tax-number.ts";
import { deleteExpiredData } from "../../src/upkeep/retention/retention.ts";
import { findDocumentRow } from "../../storage/documents/documents.ts";
import { findEvent, findTimeline } from "../../storage/journal/events.ts";
import { appendDocumentEvent, appendEvent } from "../../src/journal/append-event.ts";
import { inspectDatabase } from "../../storage/sqlite/inspection.ts";
import { rewriteEventRequest } from "../../storage/journal/event-notes.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { buildIssueBody, CAUSE } from "./appliance.ts";
import { openServer, type Server } from "./http.ts";

const DAY_MS = 86_400_000;

/** Holds deleted, redacted and changed events, and documents of every outcome. */
export async function openAuditedJournal() {
  const folder = mkdtempSync(join(tmpdir(), "fiscal-audit-"));
  const server = await openServer({ folder });
  const { appliance } = server;
  const file = join(folder, "data", "fiscal.db");
  const early = join(folder, "early.db");

  async function inspect(database: string, against?: NotedLink): Promise<Audit> {
    const inspection = inspectDatabase(database);
    try {
      return await audit(inspection.session, appliance.store.cipher, { against });
    } finally {
      inspection.close();
    }
  }

  const rejected = await fill(server);
  appliance.store.checkpoint();
  cpSync(file, early);
  const noted = (await inspect(early)).head!;
  await redactAndDelete(server, rejected);
  appliance.store.checkpoint();

  let copies = 0;
  return {
    server,
    /** The database, written back completely. */
    file,
    /** A copy from before anything was redacted or deleted, and the end of the journal at that time. */
    early,
    noted,
    inspect,
    /** Audits a copy after `change`. */
    async inspectChanged(change: (database: Database.Database) => void, against?: NotedLink) {
      const copy = join(folder, `copy-${(copies += 1)}.db`);
      cpSync(file, copy);
      try {
        const database = new Database(copy);
        try {
          database.pragma("foreign_keys = OFF");
          database.pragma("ignore_check_constraints = ON");
          change(database);
        } finally {
          database.close();
        }
        return await inspect(copy, against);
      } finally {
        for (const ending of ["", "-wal", "-shm"]) rmSync(`${copy}${ending}`, { force: true });
      }
    },
    read<T>(look: (database: Database.Database) => T) {
      const database = new Database(file, { readonly: true });
      try {
        return look(database);
      } finally {
        database.close();
      }
    },
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Documents differ in the description of their line. */
async function issue(server: Server, sandbox: string, description = sandbox): Promise<string> {
  const body = buildIssueBody(server.merchant, { metadata: { sandbox } });
  const document = body["document"] as { lines: object[] };
  const lines = document.lines.map((line) => ({ ...line, description }));
  const answer = await server.post("/api/v1/documents", { ...body, document: { ...document, lines } });
  return answer.body.data.id;
}

/** Returns the id of a rejected document. */
async function fill(server: Server): Promise<string> {
  await issue(server, "issued");
  const rejected = await issue(server, "rejected");
  await issue(server, "unavailable");
  const cancelled = await issue(server, "issued");
  await server.settle();
  await server.post(`/api/v1/documents/${cancelled}/cancel`, {});
  await server.appliance.store.write((trx) => repeatWords(trx, rejected));
  return rejected;
}

const ERROR = { code: "provider_rejected", message: "no", provider_message: "no such customer" };

/** Appends events whose previous attributes contain a provider's words: one of the document, and one that will be deleted. */
async function repeatWords(trx: Transaction, rejected: string): Promise<void> {
  const after = (await findDocumentRow(trx, { id: rejected }))!;
  const before = { ...after, error_json: JSON.stringify(ERROR) };
  await appendDocumentEvent(trx, { type: "document.rejected", before, after, cause: CAUSE });
  await appendEvent(trx, {
    type: "connection.verified",
    before: { object: "connection", last_error: { ...ERROR, provider_message: "wrong key" } },
    after: { object: "connection", last_error: ERROR },
    merchantId: after.merchant_id,
    cause: CAUSE,
  });
}

async function redactAndDelete(server: Server, rejected: string): Promise<void> {
  const { appliance } = server;
  await eraseTaxId(appliance, "094012834", { dryRun: false });
  const [first] = await findTimeline(appliance.store.read, rejected);
  for (const requestId of ["req_first", "req_second"])
    await appliance.store.write(async (trx) => {
      const row = await findEvent(trx, { id: first!.id });
      await rewriteEventRequest(trx, row!, { request_id: requestId, idempotency_key: null });
    });
  server.advance(300 * DAY_MS);
  await deleteExpiredData(appliance);
  server.advance(101 * DAY_MS);
  await deleteExpiredData(appliance);
  await issue(server, "issued", "later");
  await server.settle();
}
