/** The invariants: what must hold after every step, and at the end of every history. */
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { readKeyFile } from "../../src/keys/key-files.ts";
import { findHoles } from "../../src/numbering/audit-numbers.ts";
import { audit } from "../../src/upkeep/audit/audit-journal.ts";
import { createKeyRing } from "../../storage/encryption/key-ring.ts";
import { SqliteSession } from "../../storage/sqlite/sqlite-session.ts";
import { type Filing, findMisfiled, uncancelledMarks } from "../helpers/fake-registry/authority.ts";
import { type Order, REFUSED_SERIES } from "./clients.ts";
import { DEAD_RECEIVER_URL, type ReceiverHost } from "./hosts.ts";
import type { Progress } from "./progress.ts";
import type { ProviderAHost } from "./provider-a-host.ts";
import type { Queued, Turns } from "./turns.ts";

export interface Violation {
  /** The invariant, by which two violations are compared. */
  rule: string;
  what: string;
}

export interface Observed {
  file: string;
  ledger: readonly Filing[];
  progress: Progress;
  /** The pauses before the attempts of a delivery. */
  deliveryDelaysSeconds: readonly number[];
  /** How many processes were started. */
  started(): number;
  providerA: ProviderAHost;
  receiver: ReceiverHost;
  /** The ids of accepted documents, by order. */
  accepted: ReadonlyMap<string, string>;
  orders: ReadonlyMap<string, Order>;
  turns: Turns;
  nowMs(): number;
  /** The commits so far. */
  commits(): number;
  complain(violation: Violation): void;
}

interface Row {
  id: string;
  reference: string;
  status: string;
  uid: string | null;
  mark: string | null;
  series: string | null;
  number: number | null;
  cancelled: string | null;
  phase: string;
  attempts: number;
  polls: number;
  due: string | null;
  provider: string;
}

/** What may follow each event of a document, and the status that it leaves. */
const FOLLOWS: Readonly<Record<string, { after: readonly string[]; status: string }>> = {
  "document.created": { after: [""], status: "pending" },
  "document.issued": { after: ["document.created", "document.retried"], status: "issued" },
  "document.rejected": { after: ["document.created", "document.retried"], status: "rejected" },
  "document.failed": { after: ["document.created", "document.retried"], status: "failed" },
  "document.retried": { after: ["document.failed"], status: "pending" },
  "document.cancelled": { after: ["document.issued"], status: "issued" },
};

export class Inspection {
  readonly #observed: Observed;
  #database: Database.Database | undefined;
  readonly #statements = new Map<string, Database.Statement<unknown[]>>();
  #opened: SqliteSession | undefined;
  #version = -1;
  /** The documents as last seen, as JSON. */
  #seen = "";
  /** What queries found since the last commit, by the query: until the next one they find the same. */
  readonly #found = new Map<string, unknown[]>();
  #foundAt = -1;
  #lastEvent = "";
  readonly #events = new Map<string, string>();
  /** The MARK of each issued document, and when it was first seen. */
  readonly #marks = new Map<string, { mark: string; sinceMs: number }>();

  constructor(observed: Observed) {
    this.#observed = observed;
  }

  /** Closes the connection, because the machine has stopped and its files were replaced. */
  close(): void {
    this.#database?.close();
    this.#database = undefined;
    this.#opened = undefined;
    this.#statements.clear();
    this.#found.clear();
    this.#version = -1;
  }

  /** Checks everything that must hold after every step, if anything has changed. */
  async afterStep(): Promise<void> {
    for (const order of this.#observed.turns.late()) this.#complain("turns", `${order} is not sent`);
    const version = this.#observed.commits();
    if (version === this.#version) return;
    this.#version = version;
    const rows = this.#rows();
    const seen = JSON.stringify(rows);
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.#observed.turns.changed(rows.map((row) => this.#queued(row)));
    this.#checkDocuments(rows);
    this.#observed.progress.check(rows.map((row) => ({ ...row, counter: this.#queued(row).counter })));
    for (const { id } of this.#all<{ id: string }>(RELEASED)) this.#observed.progress.released(id);
    this.#checkEvents(rows);
    const holes = await Array.fromAsync(findHoles(this.#session()));
    for (const { series, number } of holes) this.#complain("numbers", `nothing explains ${series} ${number}`);
  }

  /** When anything in the database is due next, by the machine's clock; infinite if nothing is. */
  nextDueMs(): number {
    const { due } = this.#all<{ due: string | null }>(NEXT_DUE)[0]!;
    return due === null ? Infinity : Date.parse(due);
  }

  /** The documents without an outcome, those that failed, and those that are still to be cancelled. */
  unsettled(): { pending: string[]; failed: string[]; uncancelled: string[] } {
    const rows = this.#rows();
    const idsOf = (status: string) => rows.filter((row) => row.status === status).map(({ id }) => id);
    const uncancelled = rows.filter((row) => this.#isToBeCancelled(row)).map(({ id }) => id);
    return { pending: idsOf("pending"), failed: idsOf("failed"), uncancelled };
  }

  /** How many deliveries have not been made, and how many checks and cancellations of MARKs are planned. */
  open(): { deliveries: number; checks: number } {
    const count = (sql: string) => this.#all<{ count: number }>(sql)[0]!.count;
    return {
      deliveries: this.#undelivered().filter((delivery) => !this.#isGivenUp(delivery)).length,
      checks:
        count("select count(*) as count from filing_checks where due_at is not null") +
        count("select count(*) as count from surplus_marks where state = 'cancelling'"),
    };
  }

  /** Checks what must hold once all work is done. */
  async atEnd(): Promise<void> {
    const rows = this.#rows();
    this.#checkFilings(rows.filter(({ provider }) => provider === "registry_direct"));
    this.#checkProviderA(rows.filter(({ provider }) => provider === "provider_a"));
    this.#checkDeliveries();
    const silent = this.#all<{ id: string }>(
      `select id from documents where attempts >
         (select count(*) from provider_calls where document_id = documents.id and operation = 'issue')`,
    );
    for (const { id } of silent) this.#complain("calls", `not every send of ${id} is on record`);
    const masterKeys = createKeyRing(() => [readKeyFile(join(dirname(this.#observed.file), "master.key"))]);
    const { problems } = await audit(this.#session(), masterKeys);
    for (const problem of problems) this.#complain("audit", JSON.stringify(problem));
  }

  #complain(rule: string, what: string): void {
    this.#observed.complain({ rule, what });
  }

  #open(): Database.Database {
    if (this.#database === undefined) {
      this.#database = new Database(this.#observed.file);
      this.#database.pragma("query_only = on");
    }
    return this.#database;
  }

  #session(): SqliteSession {
    this.#opened ??= new SqliteSession(this.#open());
    return this.#opened;
  }

  #all<R>(sql: string, ...values: unknown[]): R[] {
    const version = this.#observed.commits();
    if (version !== this.#foundAt) this.#found.clear();
    this.#foundAt = version;
    const query = [sql, ...values].join("\0");
    const found = this.#found.get(query) ?? this.#statement(sql).all(...values);
    this.#found.set(query, found);
    return found as R[];
  }

  #statement(sql: string): Database.Statement<unknown[]> {
    const known = this.#statements.get(sql) ?? this.#open().prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #rows(): Row[] {
    return this.#all<Row>(
      `select id, external_reference as reference, status, uid, mark, series, number, cancellation_mark as cancelled, phase, attempts, polls, next_at as due, provider
       from documents order by id`,
    );
  }

  #checkDocuments(rows: readonly Row[]): void {
    const ids = new Map(rows.map(({ id, reference }) => [id, reference]));
    for (const [order, id] of this.#observed.accepted)
      if (!ids.has(id)) this.#complain("durability", `${order} was accepted and is gone`);
    if (new Set(ids.values()).size < rows.length) this.#complain("idempotency", "an order has two documents");
    const owners = new Map<string, string>();
    for (const { id, reference, mark, uid, status } of rows) {
      if (status === "rejected" && this.#observed.orders.get(reference)?.series !== REFUSED_SERIES)
        this.#complain("rejections", `${reference} is rejected, and nothing is wrong with it`);
      if (mark === null) continue;
      const filings = [...this.#observed.ledger, ...this.#observed.providerA.world.filings];
      const filing = filings.find((one) => one.mark === mark);
      if (filing?.uid !== uid)
        this.#complain("marks", `${reference} has the MARK ${mark}, which is not its own`);
      if (owners.has(mark))
        this.#complain("marks", `${reference} and ${owners.get(mark)} have the MARK ${mark}`);
      owners.set(mark, reference);
      const before = this.#marks.get(id);
      if (before !== undefined && before.mark !== mark)
        this.#complain("marks", `the MARK of ${reference} changed`);
      if (status === "issued") this.#marks.set(id, before ?? { mark, sinceMs: this.#observed.nowMs() });
      else if (before !== undefined) this.#complain("marks", `${reference} was issued and is ${status}`);
    }
  }

  #isToBeCancelled({ reference, provider, status, cancelled }: Row): boolean {
    const isWanted = this.#observed.orders.get(reference)?.isCancelled === true;
    // provider_a cancels nothing.
    return isWanted && provider === "registry_direct" && status === "issued" && cancelled === null;
  }

  #queued({ reference, phase, attempts, series }: Row): Queued {
    const { merchant, type } = this.#observed.orders.get(reference)!;
    return { reference, merchant, counter: `${merchant} ${type} ${series}`, phase, attempts };
  }

  #checkEvents(rows: readonly Row[]): void {
    const events = this.#all<{ id: string; type: string; document_id: string }>(
      "select id, type, document_id from events where id > ? and document_id is not null order by id",
      this.#lastEvent,
    );
    for (const { id, type, document_id: documentId } of events) {
      this.#lastEvent = id;
      const before = this.#events.get(documentId) ?? "";
      if (FOLLOWS[type]?.after.includes(before) !== true)
        this.#complain("events", `${type} follows ${before || "nothing"} for ${documentId}`);
      this.#events.set(documentId, type);
    }
    for (const { id, reference, status } of rows) {
      const last = this.#events.get(id) ?? "";
      if (FOLLOWS[last]?.status !== status)
        this.#complain("events", `${reference} is ${status}, and its last event ${last || "missing"}`);
    }
  }

  /** Each issued document counts once at the authority: under its MARK, or under a later one that was reported to a person. */
  #checkFilings(rows: readonly Row[]): void {
    const told = this.#all<{ document_id: string; mark: string }>(
      "select document_id, mark from surplus_marks where state = 'later'",
    );
    const documents = rows.map((row) => {
      const later = new Set(told.filter((one) => one.document_id === row.id).map(({ mark }) => mark));
      return { ...row, name: row.reference, isCancelled: row.cancelled !== null, later };
    });
    for (const problem of findMisfiled(this.#observed.ledger, documents))
      this.#complain("one filing", problem);
    const uncancelled = new Set([...uncancelledMarks(this.#observed.ledger).values()].flat());
    for (const { id, name, later } of documents)
      for (const mark of later) if (uncancelled.has(mark)) this.#checkLater(name, this.#marks.get(id), mark);
  }

  /** provider_a files each document once, and has no problem with what it was sent. */
  #checkProviderA(rows: readonly Row[]): void {
    const { filings, problems } = this.#observed.providerA.world;
    for (const problem of problems) this.#complain("provider_a", problem);
    for (const { id, reference, status, mark } of rows) {
      const marks = filings.filter(({ externalId }) => externalId === id).map((filing) => filing.mark);
      if (marks.join(" ") !== (status === "issued" ? mark : ""))
        this.#complain(
          "one filing",
          `${reference} (${status}, ${mark}) is filed as ${marks.join(" ") || "nothing"}`,
        );
    }
  }

  /** A person is told of a later MARK only if it was not listed in time for the document to get it. */
  #checkLater(reference: string, own: { mark: string; sinceMs: number } | undefined, other: string): void {
    const filing = this.#observed.ledger.find(({ mark }) => mark === other);
    if (own === undefined || filing === undefined || BigInt(other) <= BigInt(own.mark)) return;
    if (filing.listedAtMs < own.sinceMs - LISTING_MS_MAX)
      this.#complain("highest MARK", `${reference} has the MARK ${own.mark}, and ${other} was listed before`);
  }

  /** Those to receivers that answer. */
  #undelivered(): Undelivered[] {
    return this.#all<Undelivered>(
      `select url, event_id as event, deliveries.status as status
         from deliveries join webhook_endpoints on webhook_endpoints.id = endpoint_id
         where deliveries.status <> 'delivered' and not (deliveries.status = 'failed' and url = ?)`,
      DEAD_RECEIVER_URL,
    );
  }

  /** Every attempt failed, each after its pause. One that a jump of the clock brought forward had none, and is no attempt. */
  #isGivenUp({ url, event, status }: Undelivered): boolean {
    const sent = this.#observed.receiver.sentAtMs.get(`${new URL(url).pathname} ${event}`) ?? [];
    const delays = this.#observed.deliveryDelaysSeconds;
    const paused = sent.filter(
      (atMs, index) =>
        atMs - (sent[index - 1] ?? 0) >= delays[Math.min(index, delays.length - 1)]! * 1000 * PAUSE_MIN,
    );
    return status === "failed" && paused.length >= delays.length;
  }

  /** Each event reaches each endpoint, and first attempts are made in the order of the document's events. Attempts come to an end. */
  #checkDeliveries(): void {
    const { arrived, attempted, sentAtMs } = this.#observed.receiver;
    // A process that ends may have sent without recording it.
    const triesMax = this.#observed.deliveryDelaysSeconds.length + this.#observed.started();
    for (const [name, { length }] of sentAtMs)
      if (length > triesMax) this.#complain("tries", `${name} was sent ${length} times`);
    const events = this.#all<{ id: string }>("select id from events where document_id is not null");
    const endpoints = this.#all<{ url: string }>(
      "select url from webhook_endpoints where url <> ?",
      DEAD_RECEIVER_URL,
    );
    for (const { url } of endpoints) {
      const path = new URL(url).pathname;
      const givenUp = this.#undelivered().filter((one) => one.url === url && this.#isGivenUp(one));
      const ended = new Set([...(arrived.get(path) ?? []), ...givenUp.map(({ event }) => event)]);
      const missing = events.filter(({ id }) => !ended.has(id));
      if (missing.length > 0) this.#complain("deliveries", `${missing.length} events never came to ${path}`);
    }
    const last = new Map<string, string>();
    for (const { endpoint, eventId, documentId } of attempted) {
      if (documentId === null) continue;
      const key = `${endpoint} ${documentId}`;
      if ((last.get(key) ?? "") > eventId)
        this.#complain("delivery order", `${key}: ${eventId} came too late`);
      last.set(key, eventId);
    }
  }
}

/** The longest time from a listing until its document is stored: an answer may be slow. */
const LISTING_MS_MAX = 60_000;

/** Of its delay. Pauses are spread by a fifth. */
const PAUSE_MIN = 0.8;

interface Undelivered {
  url: string;
  event: string;
  status: string;
}

const RELEASED = "select document_id as id from numbers where state = 'released'";

const NEXT_DUE = `select min(due) as due from (
  select min(next_at) as due from documents where next_at is not null
  union all select min(lease_until) from documents where lease_until is not null
  union all select min(due_at) from deliveries where due_at is not null
  union all select min(due_at) from filing_checks where due_at is not null
  union all select min(due_at) from surplus_marks where state = 'cancelling'
)`;
