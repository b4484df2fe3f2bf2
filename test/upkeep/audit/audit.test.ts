import type Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openAuditedJournal } from "../../helpers/audited-journal.ts";
import { forAllTests } from "../../helpers/set-up.ts";

const journal = forAllTests(openAuditedJournal);

function idsOf(database: Database.Database, where = "true"): string[] {
  const rows = database.prepare<[], { id: string }>(`select id from events where ${where} order by id`).all();
  return rows.map(({ id }) => id);
}

describe("an unchanged journal", () => {
  test("is intact, including lawfully redacted and deleted events", async () => {
    const report = await journal.inspect(journal.file);
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
    expect(await journal.inspect(journal.file, journal.noted)).toMatchObject({ intact: true });
  });
});

describe("an audit finds", () => {
  test.each(["object_json", "type", "mode", "created_at", "document_id", "merchant_id", "chain"])(
    "a changed %s of any event",
    async (column) => {
      const target = journal.read((database) => idsOf(database, `${column} is not null`));
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...target), fc.nat(), async (id, at) => {
          const report = await journal.inspectChanged((database) => flip(database, column, id, at));
          expect(report.intact).toBe(false);
          expect(report.problems[0]).toMatchObject({ check: "journal", id });
        }),
        { numRuns: 6 },
      );
    },
  );

  test("any deleted event", async () => {
    for (const id of journal.read((database) => idsOf(database)).filter((_id, index) => index % 3 === 0)) {
      const report = await journal.inspectChanged(
        (database) => void database.prepare("delete from events where id = ?").run(id),
      );
      expect(report.problems.some(({ check }) => check === "journal")).toBe(true);
    }
  });

  test("newest events that were cut off, with and without the stored end", async () => {
    const { head } = await journal.inspect(journal.file);
    const cut = (database: Database.Database) =>
      void database.prepare("delete from events where id > ?").run(idsOf(database).at(-2));
    expect((await journal.inspectChanged(cut)).problems[0]).toMatchObject({ check: "journal", id: head!.id });
    const cutWithEnd = (database: Database.Database) => {
      cut(database);
      database.exec("delete from event_notes where id > (select max(id) from events)");
      database.exec(
        "update appliance set (chain_id, chain) = (select id, chain from (select id, chain from events union all" +
          " select id, chain from event_notes) order by id desc limit 1)",
      );
    };
    const { problems } = await journal.inspectChanged(cutWithEnd);
    expect(problems[0]?.message.en).toContain("the newest events were cut off");
  });

  test("that an older state of the whole database was put back, by a link noted later", async () => {
    expect((await journal.inspect(journal.early)).problems).toEqual([]);
    const { head } = await journal.inspect(journal.file);
    expect((await journal.inspect(journal.early, head!)).problems).toMatchObject([
      { check: "journal", id: head!.id, message: { en: expect.stringContaining("cut off") } },
    ]);
  });

  test("a link that differs from the noted one", async () => {
    const report = await journal.inspectChanged(() => {}, { ...journal.noted, hash: "0".repeat(64) });
    expect(report.problems).toMatchObject([
      { id: journal.noted.id, message: { en: expect.stringContaining("noted") } },
    ]);
  });

  test("a changed or removed note", async () => {
    for (const kind of ["object_words", "previous_words", "request", "forgotten"]) {
      const removed = await journal.inspectChanged(
        (database) => void database.prepare("delete from event_notes where kind = ?").run(kind),
      );
      expect(removed.intact).toBe(false);
      const changed = await journal.inspectChanged(
        (database) =>
          void database.prepare("update event_notes set digest = zeroblob(32) where kind = ?").run(kind),
      );
      expect(changed.intact).toBe(false);
    }
  });

  test("a redacted event that was changed later", async () => {
    const report = await journal.inspectChanged((database) => {
      const id = idsOf(database, "id in (select event_id from event_notes where kind = 'object_words')")[0]!;
      flip(database, "object_json", id, 40);
    });
    expect(report.problems[0]?.message.en).toContain("does not follow from");
  });

  test("a missing document", async () => {
    const gone = await journal.inspectChanged((database) =>
      database.exec("delete from documents where id = (select max(id) from documents)"),
    );
    expect(gone.problems.map(({ message }) => message.en).join()).toContain("is missing");
  });

  test("an unexplained number", async () => {
    const report = await journal.inspectChanged((database) =>
      database.exec("update series set next_number = next_number + 1"),
    );
    expect(report.problems).toMatchObject([{ check: "numbers", id: null }]);
  });
});

/** Changes one character or byte of a value. */
function flip(database: Database.Database, column: string, id: string, at: number): void {
  const row = database
    .prepare<[string], { value: string | Buffer }>(`select ${column} as value from events where id = ?`)
    .get(id)!;
  const changed = Buffer.from(row.value);
  changed[at % changed.length]! ^= 1;
  const value = typeof row.value === "string" ? changed.toString("latin1") : changed;
  database.prepare(`update events set ${column} = ? where id = ?`).run(value, id);
}
