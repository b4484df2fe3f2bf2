/** Somebody who can write the database file, but has no master key, tries to deceive the audit (docs/audit.md). */
import { randomBytes } from "node:crypto";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { createAuditKey } from "../../../storage/encryption/key-ring.ts";
import {
  CHAIN_START,
  type ChainHead,
  digestOfEvent,
  digestOfNote,
  digestRemovable,
  type EventNoteRow,
  linkAfter,
  authenticateEnd,
} from "../../../storage/journal/event-chain.ts";
import type { EventRow } from "../../../storage/journal/events.ts";
import { openAuditedJournal } from "../../helpers/audited-journal.ts";
import { forAllTests } from "../../helpers/set-up.ts";

const journal = forAllTests(openAuditedJournal);

/** A key of the attacker's own. */
const GUESSED = createAuditKey(randomBytes(32));

const rowsOf = (database: Database.Database, from: string) =>
  database.prepare(`select * from ${from}`).all() as Record<string, unknown>[];

/** The id of an issued document, of which there are three. */
function issued(database: Database.Database, index = 0): string {
  return rowsOf(database, "documents where status = 'issued' and cancelled_at is null order by id")[index]![
    "id"
  ] as string;
}

/** Computes every link, the recorded end and its seal again, as somebody would who knows the program but not the key. */
function chainAgain(database: Database.Database): void {
  const events = rowsOf(database, "events") as unknown as EventRow[];
  const notes = rowsOf(database, "event_notes") as unknown as EventNoteRow[];
  let head: ChainHead = CHAIN_START;
  for (const row of [...events, ...notes].sort((one, other) => (one.id < other.id ? -1 : 1))) {
    const isNote = "kind" in row;
    const digest = isNote
      ? digestOfNote(GUESSED, row)
      : digestOfEvent(GUESSED, row, digestRemovable(GUESSED, row));
    head = { id: row.id, link: linkAfter(GUESSED, head.link, digest, isNote ? null : row.document_id) };
    const table = isNote ? "event_notes" : "events";
    database.prepare(`update ${table} set chain = ? where id = ?`).run(head.link, row.id);
  }
  database
    .prepare("update appliance set chain_id = ?, chain = ?, chain_seal = ?")
    .run(head.id, head.link, authenticateEnd(GUESSED, head));
}

/** Adds a note as the program writes it, with links computed without the key. */
function addNote(database: Database.Database, note: Partial<EventNoteRow> & { event_id: string }): void {
  const { id } = rowsOf(database, "events order by id desc")[0]! as unknown as EventRow;
  const row = {
    id: `${id.slice(0, -1)}~`,
    kind: "object_words",
    digest: randomBytes(32),
    digest_after: null,
    chain: randomBytes(32),
    ...note,
  };
  database
    .prepare("insert into event_notes values (@id, @kind, @event_id, @digest, @digest_after, @chain)")
    .run(row);
  chainAgain(database);
}

/** Changes a document and the snapshots about it in the same way. */
function falsify(database: Database.Database, column: "net" | "mark", value: string | number): string {
  const id = issued(database);
  database.prepare(`update documents set ${column} = ? where id = ?`).run(value, id);
  database
    .prepare("update events set object_json = json_set(object_json, ?, ?) where document_id = ?")
    .run(`$.${column}`, value, id);
  return id;
}

const newestEventOf = (database: Database.Database, id: string) =>
  rowsOf(database, `events where document_id = '${id}' order by id desc`)[0]!["id"] as string;

/** Sets a column of an issued document. */
const set = (table: "documents" | "document_inputs", column: string, value: string) =>
  `update ${table} set ${column} = ${value} where ${table === "documents" ? "id" : "document_id"} = $issued`;

/** Inserts a copy of a row of `table` after `changes`. */
const insertCopy = (table: string, where: string, changes: string) =>
  `create temp table copy as select * from ${table} where ${where};
   update copy set ${changes}; insert into ${table} select * from copy`;

/** Exchanges the values of a key of two rows. */
const exchange = (table: string, key: string, one: string, other: string) =>
  `update ${table} set ${key} = 'x' where ${key} = ${one}; update ${table} set ${key} = ${one} where ${key} = ${other};
   update ${table} set ${key} = ${other} where ${key} = 'x'`;

/** Runs statements in which `$issued` and `$other` are issued documents. The last one must change something. */
function run(database: Database.Database, statements: string): void {
  const [one, other] = [issued(database), issued(database, 1)];
  database.exec(statements.replaceAll("$issued", `'${one}'`).replaceAll("$other", `'${other}'`));
  expect(database.prepare("select changes()").pluck().get()).toBeGreaterThan(0);
}

/** Changes without any effort to hide them: each names what the audit must mention. */
test.each([
  ["the contents of a document", "cannot be decrypted", set("document_inputs", "sealed", "zeroblob(99)")],
  ["a decision about a document", "other contents", set("document_inputs", "decided_json", "'{}'")],
  ["a document's letterhead", "other contents", set("document_inputs", "letterhead_id", "99")],
  [
    "the amounts in reports",
    "other amounts",
    set("documents", "shares_json", "replace(shares_json, '1', '2')"),
  ],
  ["the amounts", "net", set("documents", "net", "net + 1")],
  ["the MARK", "mark", set("documents", "mark", "'499999999999999'")],
  ["the uid", "uid", set("documents", "uid", "lower(uid)")],
  ["the address of the QR code", "qr_url", set("documents", "qr_url", "'https://example.com'")],
  ["the series", "series", set("documents", "series", "'Z'")],
  ["the number", "number", set("documents", "number", "900")],
  ["the merchant", "merchant", set("documents", "merchant_id", "'mer_1'")],
  ["the issue date", "issue_date", set("documents", "issue_date", "'2026-01-01'")],
  ["the time of acceptance", "created", set("documents", "created_at", "'2026-01-01T00:00:00.000Z'")],
  ["the supplier's tax number", "other contents", set("documents", "supplier", "'999999999'")],
  ["the metadata", "other contents", set("documents", "metadata_json", "'{}'")],
  ["the connection", "newest event left it", set("documents", "connection_id", "'con_1'")],
  ["the authentication code", "newest event left it", set("documents", "authentication_code", "'x'")],
  ["the provider's reference", "newest event left it", set("documents", "provider_ref", "'x'")],
  ["a cancellation that did not happen", "cancellation_mark", set("documents", "cancellation_mark", "'49'")],
  [
    "a hidden cancellation",
    "cancelled_at",
    "update documents set cancellation_mark = null, cancelled_at = null",
  ],
  ["the status", "status", set("documents", "status = 'rejected', phase", "'rejected'")],
  [
    "the status of a rejected document",
    "status",
    "update documents set status = 'issued', phase = 'issued', mark = '499999999999999' where status = 'rejected'",
  ],
  ["missing contents", "lost its contents", "delete from document_inputs where document_id = $issued"],
  [
    "the exchanged contents of two documents",
    "belong to another document",
    exchange("document_inputs", "document_id", "$issued", "$other"),
  ],
  [
    "an event that was deleted although its note is about something else",
    "no note says that it was forgotten",
    "delete from events where id in (select event_id from event_notes where kind = 'request')",
  ],
  [
    "an inserted document",
    "has no event",
    insertCopy("documents", "id = $issued", "id = 'doc_0', number = 900, mark = '499999999999999'"),
  ],
])("a plain change is found: %s", async (_name, mentioned, statements) => {
  const report = await journal.inspectChanged((database) => run(database, statements));
  expect(report.problems.map(({ message }) => message.en).join("\n")).toContain(mentioned);
});

const runAndChain = (statements: string) => (database: Database.Database) => {
  run(database, statements);
  chainAgain(database);
};
const withNote = (column: "net" | "mark", value: string | number) => (database: Database.Database) =>
  addNote(database, { event_id: newestEventOf(database, falsify(database, column, value)) });

/** Changes by somebody who knows how the program works, and computes everything again with a key of their own. */
test.each<[string, (database: Database.Database) => void]>([
  ["amounts that were changed with a redaction note", withNote("net", 1)],
  ["a MARK that was changed with a redaction note", withNote("mark", "499999999999999")],
  ["an old document that was deleted and its events marked as forgotten", forgetDocument],
  [
    "an event of another document that was copied",
    runAndChain(
      insertCopy(
        "events",
        "id = (select min(id) from events where document_id = $issued)",
        "id = 'evt_z', document_id = $other",
      ),
    ),
  ],
  [
    "events that were reordered",
    (database) => {
      const [one, other] = rowsOf(database, "events order by id").map(({ id }) => `'${id as string}'`);
      runAndChain(exchange("events", "id", one!, other!))(database);
    },
  ],
  ["links that were all computed again", chainAgain],
  [
    "a changed link of an event to its document",
    runAndChain("update events set document_id = $other where document_id = $issued"),
  ],
  [
    "a journal without any event, with its end set to the beginning",
    (database) => {
      for (const table of ["events", "event_notes", "document_inputs", "documents", "numbers", "series"])
        database.exec(`delete from ${table}`);
      database.exec("update appliance set chain_id = '', chain = zeroblob(32)");
    },
  ],
])("a hidden change is found: %s", async (_name, attack) => {
  const report = await journal.inspectChanged(attack);
  expect(report.problems.filter(({ check }) => check === "journal").length).toBeGreaterThan(0);
});

function forgetDocument(database: Database.Database): void {
  const id = issued(database);
  const events = rowsOf(database, `events where document_id = '${id}'`) as unknown as EventRow[];
  for (const table of ["document_inputs", "events", "deliveries"])
    database.exec(`delete from ${table} where document_id = '${id}'`);
  database.exec(`delete from documents where id = '${id}'`);
  for (const [index, event] of events.entries()) {
    const digest = digestOfEvent(GUESSED, event, digestRemovable(GUESSED, event));
    const noteId = `evt_z${String(index).padStart(21, "0")}`;
    addNote(database, { id: noteId, event_id: event.id, kind: "forgotten", digest });
  }
}

/** Genuine rows and values of another time, which need no key. `early` is the copy from before. */
test.each([
  [
    "a redacted event as it was before",
    putBack("events", "where id = (select event_id from event_notes where kind = 'object_words')"),
  ],
  [
    "a document as it was before",
    "update documents set error_json = null, provider_ref = 'x' where status = 'rejected'",
  ],
  ["the stored end of the journal as it was before", putBack("appliance", "")],
  [
    "a note about one event used for another",
    `update event_notes set event_id = (select max(id) from events where document_id = $issued)
     where kind = 'object_words'`,
  ],
  [
    "a request replaced once more without a note",
    "update events set request_id = 'req_third' where request_id = 'req_second'",
  ],
  [
    "the audit key sealed with another key",
    "update appliance set audit_key = cast(x'00000001' || substr(audit_key, 5) as blob)",
  ],
  ["the sealed key check in place of the audit key", "update appliance set audit_key = key_check"],
])("a replayed value is found: %s", async (_name, statements) => {
  const report = await journal.inspectChanged((database) => {
    database.prepare("attach ? as early").run(journal.early);
    run(database, statements);
  });
  expect(report.intact).toBe(false);
});

/** Replaces rows by those of the early copy. */
function putBack(table: string, where: string): string {
  return `replace into main.${table} select * from early.${table} as old
    where old.id in (select id from main.${table} ${where})`;
}
