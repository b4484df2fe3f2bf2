import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Audit, audit } from "../../src/upkeep/audit/audit-journal.ts";
import type { NotedLink } from "../../src/upkeep/audit/audit-finding.ts";
import { eraseTaxId } from "../../src/upkeep/retention/erase-tax-number.ts";
import { deleteExpiredData } from "../../src/upkeep/retention/retention.ts";
import { inspectDatabase } from "../../storage/inspection.ts";
import { buildIssueBody } from "../helpers/appliance.ts";
import { openServer, type Server } from "../helpers/http.ts";

const DAY_MS = 86_400_000;

/** A journal with everything in it: deleted and redacted events, and documents of every outcome. */
let folder: string;
let server: Server;
let original: string;
/** The end of the journal before anything was redacted or deleted. */
let noted: NotedLink;

async function issue(scene: string): Promise<void> {
  await server.post("/api/v1/documents", buildIssueBody(server.merchant, { metadata: { sandbox: scene } }));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscal-audit-"));
  server = await openServer({ folder });
  for (const scene of ["issued", "rejected", "unavailable", "issued"]) await issue(scene);
  await server.settle();
  original = join(folder, "data", "fiscal.db");
  noted = (await inspect(original)).head!;
  await eraseTaxId(server.appliance, "094012834", { dryRun: true });
  await eraseTaxId(server.appliance, "094012834", { dryRun: false });
  server.advance(401 * DAY_MS);
  await deleteExpiredData(server.appliance);
  await issue("issued");
  await server.settle();
  server.appliance.store.checkpoint();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function inspect(file: string, against?: NotedLink): Promise<Audit> {
  const inspection = inspectDatabase(file);
  try {
    return await audit(inspection.session, { against });
  } finally {
    inspection.close();
  }
}

let copies = 0;

/** Audits a copy after `change`. */
async function inspectChanged(
  change: (database: Database.Database) => void,
  against?: NotedLink,
): Promise<Audit> {
  const copy = join(folder, `copy-${(copies += 1)}.db`);
  cpSync(original, copy);
  try {
    const database = new Database(copy);
    try {
      database.pragma("foreign_keys = OFF");
      change(database);
    } finally {
      database.close();
    }
    return await inspect(copy, against);
  } finally {
    for (const ending of ["", "-wal", "-shm"]) rmSync(`${copy}${ending}`, { force: true });
  }
}

function idsOf(database: Database.Database, where = "true"): string[] {
  const rows = database.prepare<[], { id: string }>(`select id from events where ${where} order by id`).all();
  return rows.map(({ id }) => id);
}

describe("an unchanged journal", () => {
  test("is intact, including lawfully redacted and deleted events", async () => {
    const report = await inspect(original);
    expect(report).toMatchObject({
      object: "audit",
      intact: true,
      problems: [],
      problems_found: 0,
      documents: 5,
    });
    expect(report.redacted).toBeGreaterThan(0);
    expect(report.forgotten).toBeGreaterThan(0);
    expect(report.head).toEqual({
      id: expect.stringMatching(/^evt_/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("still contains a link noted before events were deleted", async () => {
    expect(await inspect(original, noted)).toMatchObject({ intact: true });
  });
});

describe("an audit finds", () => {
  test.each(["object_json", "type", "mode", "created_at", "document_id", "merchant_id", "chain"])(
    "a changed %s of any event",
    async (column) => {
      const target = await withCopy((database) => idsOf(database, `${column} is not null`));
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...target), fc.nat(), async (id, at) => {
          const report = await inspectChanged((database) => flip(database, column, id, at));
          expect(report.intact).toBe(false);
          expect(report.problems[0]).toMatchObject({ check: "journal", id });
        }),
        { numRuns: 6 },
      );
    },
  );

  test("any deleted event", async () => {
    for (const id of (await withCopy((database) => idsOf(database))).filter(
      (_id, index) => index % 3 === 0,
    )) {
      const report = await inspectChanged(
        (database) => void database.prepare("delete from events where id = ?").run(id),
      );
      expect(report.problems.some(({ check }) => check === "journal")).toBe(true);
    }
  });

  test("two exchanged events", async () => {
    const report = await inspectChanged((database) => {
      const [first, second] = idsOf(database).slice(1, 3);
      const move = database.prepare("update events set id = ? where id = ?");
      move.run("evt_x", first);
      move.run(first, second);
      move.run(second, "evt_x");
    });
    expect(report.problems.length).toBeGreaterThanOrEqual(2);
  });

  test("an inserted event", async () => {
    const report = await inspectChanged((database) => {
      database.exec(
        "insert into events select substr(id, 1, 25) || 'z', type, mode, object_json, previous_json, request_id," +
          " idempotency_key, document_id, merchant_id, created_at, chain from events order by id limit 1",
      );
    });
    expect(report.problems[0]?.id).toMatch(/z$/);
  });

  test("a truncated journal, even with a matching end, by a link noted elsewhere", async () => {
    const { head } = await inspect(original);
    const cut = (database: Database.Database) =>
      void database.prepare("delete from events where id > ?").run(idsOf(database).at(-2));
    expect((await inspectChanged(cut)).problems[0]).toMatchObject({ check: "journal", id: head!.id });
    const cutWithEnd = (database: Database.Database) => {
      cut(database);
      database.exec("delete from event_notes where id > (select max(id) from events)");
      database.exec(
        "update appliance set (chain_id, chain) = (select id, chain from (select id, chain from events union all" +
          " select id, chain from event_notes) order by id desc limit 1)",
      );
    };
    expect((await inspectChanged(cutWithEnd)).problems.filter(({ check }) => check === "journal")).toEqual(
      [],
    );
    expect((await inspectChanged(cutWithEnd, head!)).problems[0]).toMatchObject({
      check: "journal",
      id: head!.id,
      message: expect.objectContaining({ en: expect.stringContaining("cut off") }),
    });
  });

  test("a link that differs from the noted one", async () => {
    const report = await inspectChanged(() => {}, { ...noted, hash: "0".repeat(64) });
    expect(report.problems).toMatchObject([
      { id: noted.id, message: { en: expect.stringContaining("noted") } },
    ]);
  });

  test("a changed or removed note", async () => {
    for (const kind of ["redacted", "forgotten"]) {
      const removed = await inspectChanged(
        (database) => void database.prepare("delete from event_notes where kind = ?").run(kind),
      );
      expect(removed.intact).toBe(false);
      const changed = await inspectChanged(
        (database) =>
          void database.prepare("update event_notes set digest = zeroblob(32) where kind = ?").run(kind),
      );
      expect(changed.intact).toBe(false);
    }
  });

  test("a redacted event that was changed later", async () => {
    const report = await inspectChanged((database) => {
      const id = idsOf(database, "id in (select event_id from event_notes where kind = 'redacted')")[0]!;
      flip(database, "object_json", id, 40);
    });
    expect(report.problems[0]?.message.en).toContain("when a provider's words were taken out");
  });

  test.each([
    ["net", "update documents set net = net + 1 where status = 'issued'"],
    ["mark", "update documents set mark = '400000000000001' where status = 'issued'"],
    [
      "number",
      "update documents set number = 900 where id = (select max(id) from documents where status = 'issued')",
    ],
    ["status", "update documents set status = 'rejected', phase = 'rejected' where status = 'issued'"],
  ])("a document whose %s differs from its event", async (field, statement) => {
    const report = await inspectChanged((database) => void database.exec(statement));
    const found = report.problems.find(({ check }) => check === "documents");
    expect(found?.message.en).toContain(field);
    expect(found?.id).toMatch(/^doc_/);
  });

  test("a missing document, and one without events", async () => {
    const gone = await inspectChanged((database) =>
      database.exec("delete from documents where id = (select max(id) from documents)"),
    );
    expect(gone.problems.map(({ message }) => message.en).join()).toContain("is missing");
    const silent = await inspectChanged((database) =>
      database.exec("delete from events where document_id = (select max(id) from documents)"),
    );
    expect(silent.problems.map(({ message }) => message.en).join()).toContain("has no event");
  });

  test("an unexplained number", async () => {
    const report = await inspectChanged((database) =>
      database.exec("update series set next_number = next_number + 1"),
    );
    expect(report.problems).toMatchObject([{ check: "numbers", id: null }]);
  });
});

async function withCopy<T>(look: (database: Database.Database) => T): Promise<T> {
  const database = new Database(original, { readonly: true });
  try {
    return look(database);
  } finally {
    database.close();
  }
}

/** Changes one character or byte of a value. */
function flip(database: Database.Database, column: string, id: string, at: number): void {
  const row = database
    .prepare<[string], { value: string | Buffer }>(`select ${column} as value from events where id = ?`)
    .get(id)!;
  const changed = Buffer.from(row.value);
  changed[at % changed.length]! ^= 1;
  const value = typeof row.value === "string" ? changed.toString("latin1") : changed;
  database.pragma("ignore_check_constraints = ON");
  database.prepare(`update events set ${column} = ? where id = ?`).run(value, id);
}
