import { join } from "node:path";
import Database from "better-sqlite3";
import { type Kysely, sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { migrate } from "../../storage/sqlite/migrate.ts";
import { makeFolder } from "../helpers/folder.ts";

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});

/** Creates the table `name`, then runs `afterwards`. */
function creating(name: string, afterwards?: () => void) {
  return async (db: Kysely<unknown>) => {
    await sql.raw(`create table ${name} (id integer)`).execute(db);
    afterwards?.();
  };
}

const schemaOf = (database: Database.Database) => [
  database.pragma("user_version", { simple: true }),
  database.prepare("select name from sqlite_schema where name in ('one', 'two') order by name").pluck().all(),
];

describe("migrating", () => {
  test("changes nothing if a migration fails", async () => {
    const database = new Database(":memory:");
    const fail = () => {
      throw new Error("in the middle");
    };
    const migrations = [creating("one"), creating("two", fail)];
    await expect(migrate(database, undefined, migrations)).rejects.toThrow("in the middle");
    expect(schemaOf(database)).toEqual([0, []]);
    database.close();
  });

  test("by two processes at the same time creates the tables once", async () => {
    const file = join(folder, "fiscal.db");
    const [first, second] = [new Database(file), new Database(file, { timeout: 50 })];
    let blocked: unknown;
    const migrations = [
      async (db: Kysely<unknown>) => {
        await creating("one")(db);
        blocked = await migrate(second, undefined, [creating("one")]).catch((error: unknown) => error);
      },
    ];
    await migrate(first, undefined, migrations);
    expect(blocked).toMatchObject({ code: "SQLITE_BUSY" });
    await migrate(second, undefined, migrations);
    expect(schemaOf(second)).toEqual([1, ["one"]]);
    first.close();
    second.close();
  });
});
