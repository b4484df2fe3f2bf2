import { join } from "node:path";
import Database from "better-sqlite3";
import { type Kysely, sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { migrate, MIGRATIONS } from "../../storage/sqlite/migrate.ts";
import { makeFolder } from "../helpers/folder.ts";
import { openWorkshop } from "../helpers/program.ts";
import { forEachTest } from "../helpers/set-up.ts";

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});

/** Creates the table `name`, then runs `afterwards`. */
function creating(name: string, afterwards?: () => void) {
  return {
    async up(db: Kysely<unknown>) {
      await sql.raw(`create table ${name} (id integer)`).execute(db);
      afterwards?.();
    },
  };
}

const schemaOf = (database: Database.Database) => [
  database.pragma("user_version", { simple: true }),
  database.prepare("select name from sqlite_schema where name in ('one', 'two') order by name").pluck().all(),
];

describe("migrating", () => {
  test("runs missing migrations in order, and sets the schema version", async () => {
    const database = new Database(":memory:");
    const migrations = { "0001-one": creating("one"), "0002-two": creating("two") };
    await migrate(database, { migrations, through: 1 });
    expect(schemaOf(database)).toEqual([1, ["one"]]);
    await migrate(database, { migrations });
    expect(schemaOf(database)).toEqual([2, ["one", "two"]]);
    await migrate(database, { migrations });
    expect(schemaOf(database)).toEqual([2, ["one", "two"]]);
    database.close();
  });

  test("changes nothing if a migration fails", async () => {
    const database = new Database(":memory:");
    const fail = () => {
      throw new Error("in the middle");
    };
    const migrations = { "0001-one": creating("one"), "0002-two": creating("two", fail) };
    await expect(migrate(database, { migrations })).rejects.toThrow("in the middle");
    expect(schemaOf(database)).toEqual([0, []]);
    database.close();
  });

  test("by two processes at the same time creates the tables once", async () => {
    const file = join(folder, "fiscal.db");
    const [first, second] = [new Database(file), new Database(file, { timeout: 50 })];
    let blocked: unknown;
    const migrations = {
      "0001-one": {
        async up(db: Kysely<unknown>) {
          await creating("one").up(db);
          blocked = await migrate(second, { migrations: { "0001-one": creating("one") } }).catch(
            (error: unknown) => error,
          );
        },
      },
    };
    await migrate(first, { migrations });
    expect(blocked).toMatchObject({ code: "SQLITE_BUSY" });
    await migrate(second, { migrations });
    expect(schemaOf(second)).toEqual([1, ["one"]]);
    first.close();
    second.close();
  });
});

describe("a database of an unreleased version", () => {
  const workshop = forEachTest(openWorkshop);

  const OLD_NAMES = ["foundation", "connections-and-logs", "webhooks", "console", "column-maps", "held"];

  /** Makes the database look as a commit before the release left it, with its first `version` migrations. */
  async function makeUnreleased(version: number): Promise<string> {
    expect((await workshop.run(["init", "--yes"])).exitCode).toBe(0);
    const file = join(workshop.folder, "data", "fiscal.db");
    const database = new Database(file);
    database.prepare("delete from kysely_migration").run();
    for (const [index, name] of OLD_NAMES.slice(0, version).entries())
      database.prepare("insert into kysely_migration values (?, '')").run(`000${index + 1}-${name}`);
    database.pragma(`user_version = ${version}`);
    database.close();
    return file;
  }

  test.each([1, 6])("with %i migrations is refused with the next step", async (version) => {
    const file = await makeUnreleased(version);
    const message = `fiscal: The database ${file} was made by an unreleased version of fiscal; issue and export`;
    for (const command of [["documents", "list"], ["init", "--yes"], ["serve", "--port", "0"], ["audit"]]) {
      const run = await workshop.run(command);
      expect([run.exitCode, run.stdout, run.stderr]).toEqual([78, "", expect.stringContaining(message)]);
      expect(run.stderr.trim().split("\n")).toHaveLength(1);
    }
    const doctor = await workshop.run(["doctor"]);
    expect([doctor.exitCode, doctor.stdout]).toEqual([1, expect.stringContaining("unreleased version")]);
    const args = ["restore", file, "--data-dir", join(folder, "data"), "--without-checksum", "--yes"];
    const restore = await workshop.runBare(args, { env: { FISCAL_MASTER_KEY: "5c".repeat(32) } });
    expect([restore.exitCode, restore.stderr]).toEqual([78, expect.stringContaining("unreleased version")]);
  });

  test("is left unchanged", async () => {
    const file = await makeUnreleased(6);
    await workshop.run(["init", "--yes"]);
    const database = new Database(file, { readonly: true });
    expect(database.pragma("user_version", { simple: true })).toBe(6);
    database.close();
    expect(Object.keys(MIGRATIONS)).not.toContain("0001-foundation");
  });
});
