import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmod,
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { PrintedDiagnosis } from "../../commands/root/doctor.ts";
import { openBench } from "../helpers/appliance.ts";
import { type DocumentList, issue, listed } from "../helpers/issuing.ts";
import { answering, type Run, expectRefused } from "../helpers/program.ts";
import { receipt, openShop } from "../helpers/receipts.ts";
import { closing, forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openShop);
beforeEach(async () => {
  await issue(workshop, [receipt("first"), receipt("second", "rejected")]);
});

const at = (...names: string[]) => join(workshop.folder, ...names);
const database = () => at("data", "fiscal.db");

interface BackupObject {
  file: string;
  program: string;
  sha256: string;
  file_bytes: number;
  encrypted: boolean;
  schema: number;
  counts: Record<string, number>;
  last_event: string;
  removed: string[];
}

/** Runs `use` on a second machine that has only the master key. */
async function withOther<T>(
  use: (run: (args: string[]) => Promise<Run>, folder: string) => Promise<T>,
): Promise<T> {
  const folder = at("other");
  await mkdir(folder, { recursive: true });
  await copyFile(at("data", "master.key"), join(folder, "master.key"));
  return use((args) => workshop.runBare(["--data-dir", folder, ...args]), folder);
}

async function flip(file: string, place: number): Promise<void> {
  const bytes = await readFile(file);
  bytes[place]! ^= 0x01;
  await writeFile(file, bytes);
}

describe("a backup", () => {
  test("is described, readable only by its owner, and leaves no other file", async () => {
    const run = await workshop.run("backup copies/one.db --json");
    expect(run.exitCode).toBe(0);
    const backup = run.json<BackupObject>();
    expect(backup).toMatchObject({ object: "backup", encrypted: false, file: at("copies", "one.db") });
    expect(backup.counts).toMatchObject({ documents: 2, merchants: 1 });
    const own = JSON.parse(await readFile(resolve(import.meta.dirname, "../../package.json"), "utf8"));
    const verified = await workshop.run("backup verify copies/one.db --json");
    expect([backup.program, verified.json<BackupObject>().program]).toEqual([own.version, own.version]);
    expect(run.stderr).toContain("does not contain the master key");
    expect((await stat(at("copies", "one.db"))).mode & 0o777).toBe(0o600);
    expect(await readdir(at("copies"))).toEqual(["one.db"]);
    expect((await readFile(at("copies", "one.db"))).includes(await readFile(at("data", "master.key")))).toBe(
      false,
    );
  });

  test("can be read without the master key, except for what is encrypted, as the contents of documents are", async () => {
    await workshop.run("backup one.db");
    const bytes = await readFile(at("one.db"));
    expect(bytes.includes("first")).toBe(true);
    expect(bytes.includes("Καφές")).toBe(false);
  });

  test("is a database for any tool, and on hold", async () => {
    await workshop.run("backup one.db");
    const copy = new Database(at("one.db"), { readonly: true });
    expect(copy.pragma("integrity_check")).toEqual([{ integrity_check: "ok" }]);
    expect(copy.prepare("select state from appliance").get()).toEqual({ state: "held" });
    copy.close();
  });

  test("replaces a file only with --force", async () => {
    await writeFile(at("one.db"), "something else");
    expectRefused(await workshop.run("backup one.db"), 1, "--force");
    expect(await readFile(at("one.db"), "utf8")).toBe("something else");
    expect((await workshop.run("backup one.db --force")).exitCode).toBe(0);
    const verified = await workshop.run("--lang el backup verify one.db");
    expect([verified.exitCode, verified.stdout]).toEqual([0, expect.stringMatching(/παραστατικά +2\n/)]);
  });

  test.each([
    ["the database", "data/fiscal.db"],
    ["its write-ahead log", "data/fiscal.db-wal"],
    ["the master key", "data/master.key"],
    ["a replaced master key", "data/master.key.retired-2026-01-01-0badcafe"],
    ["the passphrase", "passphrase"],
    ["the database under another name", "link.db"],
    ["the database by way of a linked folder", "linked/fiscal.db"],
  ])("never replaces %s", async (_name, target) => {
    await writeFile(at("passphrase"), "correct horse battery");
    await writeFile(at("data", "master.key.retired-2026-01-01-0badcafe"), "a replaced key");
    await link(database(), at("link.db"));
    await symlink(at("data"), at("linked"));
    const before = await readFile(database());
    const flags = ["--force", "--passphrase-file", "passphrase"];
    expectRefused(await workshop.run(["backup", target, ...flags]), 2, "is never replaced");
    expect((await readFile(database())).equals(before)).toBe(true);
    expect(await readFile(at("data", "master.key"), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
    expect(await listed(workshop)).toHaveLength(2);
  });

  /** The part of a backup's name that is the same for all backups of the appliance. */
  async function tag(): Promise<string> {
    const made = await workshop.run(`backup ${at("elsewhere")}/ --json`);
    return /-([0-9a-f]{8})\.db$/.exec(made.json<BackupObject>().file)![1]!;
  }

  test("is named by time and appliance in a folder, and only its newest stay in the configured folder", async () => {
    const env = { FISCAL_BACKUP__DIRECTORY: at("kept"), FISCAL_BACKUP__KEEP: "2" };
    await mkdir(at("kept"));
    const own = await tag();
    const [first, second] = [`fiscal-20250101T000000Z-${own}.db`, `fiscal-20250102T000000Z-${own}.db`];
    const others = ["fiscal-20250101T000000Z-00000000.db", "notes.txt"];
    for (const name of [first, second, ...others]) await writeFile(at("kept", name), "");
    const run = await workshop.run("backup --json", { env });
    expect(run.json<BackupObject>().removed).toEqual([first]);
    const made = expect.stringMatching(new RegExp(`^fiscal-\\d{8}T\\d{6}Z-${own}\\.db$`));
    expect((await readdir(at("kept"))).sort()).toEqual([others[0], second, made, others[1]]);
  });

  test("is never removed, even if a fast clock named older ones later", async () => {
    const env = { FISCAL_BACKUP__DIRECTORY: at("kept"), FISCAL_BACKUP__KEEP: "2" };
    await mkdir(at("kept"));
    const own = await tag();
    const ahead = [`fiscal-20990101T000000Z-${own}.db`, `fiscal-20990102T000000Z-${own}.db`];
    for (const name of ahead) await writeFile(at("kept", name), "");
    const made = await workshop.read<BackupObject>("backup", { env });
    expect(made.removed).toEqual([ahead[0]]);
    expect((await stat(made.file)).size).toBe(made.file_bytes);
  });

  test("is never removed by an appliance that was restored from it, held or resumed", async () => {
    const env = { FISCAL_BACKUP__DIRECTORY: at("kept"), FISCAL_BACKUP__KEEP: "1" };
    const { file } = await workshop.read<BackupObject>("backup", { env });
    await withOther(async (_run, folder) => {
      const run = (args: string[]) => workshop.runBare(["--data-dir", folder, ...args], { env });
      const names: string[] = [];
      const backUp = async () => {
        const made = (await run(["backup", "--json"])).json<BackupObject>();
        names.push(made.file);
        return made.removed;
      };
      await run(["restore", file, "--yes"]);
      expect([await backUp(), await backUp()]).toEqual([[], []]);
      await run(["resume", "--yes"]);
      expect(await backUp()).toEqual([]);
      expect(await backUp()).toEqual([names[2]!.split("/").at(-1)]);
      expect((await stat(file)).isFile()).toBe(true);
      expect((await workshop.read<BackupObject>("backup", { env })).removed).toEqual([
        file.split("/").at(-1),
      ]);
    });
  });

  test.skipIf(process.platform === "win32")("never replaces a socket", async () => {
    const socket = createServer().listen(at("socket"));
    try {
      await once(socket, "listening");
      expectRefused(await workshop.run("backup socket --force"), 2, "is not a regular file");
      expect((await stat(at("socket"))).isSocket()).toBe(true);
    } finally {
      socket.close();
    }
  });

  test("is not made with a wrong master key", async () => {
    const refused = await workshop.run("backup one.db", { env: { FISCAL_MASTER_KEY: "00".repeat(32) } });
    expectRefused(refused, 78, "master key is not the one");
    expect(await readdir(workshop.folder)).not.toContain("one.db");
  });

  test("fails for a missing database, and does not create one", async () => {
    const refused = await workshop.runBare(`--data-dir ${at("nowhere")} backup one.db`);
    expectRefused(refused, 78, "There is no database");
    await expect(stat(at("nowhere"))).rejects.toThrow("ENOENT");
  });

  test("leaves no file if it cannot be written", async () => {
    await writeFile(at("file"), "");
    expectRefused(await workshop.run("backup file/one.db"), 2, "file/one.db cannot be used");
  });
});

describe("verify and restore reject", () => {
  test("a changed byte anywhere", async () => {
    await workshop.run("backup good.db");
    const { size } = await stat(at("good.db"));
    await withOther((run, other) =>
      fc.assert(
        fc.asyncProperty(fc.nat(size - 1), async (place) => {
          await copyFile(at("good.db"), at("bad.db"));
          await flip(at("bad.db"), place);
          for (const verb of [
            ["backup", "verify"],
            ["restore", "--yes"],
          ])
            expect((await run([...verb, at("bad.db")])).exitCode).toBe(78);
          expect(await readdir(other)).toEqual(["master.key"]);
        }),
        {
          numRuns: 12,
          seed: 4711,
          examples: [[0], [size - 1], [size - 12], [size - 50], [size - 200], [4096]],
        },
      ),
    );
  });

  test("a changed byte in an encrypted backup, and a truncated one", async () => {
    await writeFile(at("passphrase"), "correct horse battery\n");
    const flags = ["--passphrase-file", "passphrase"];
    await workshop.run(["backup", "good.backup", ...flags]);
    const { size } = await stat(at("good.backup"));
    for (const place of [0, 8, 12, 30, Math.floor(size / 2), size - 1]) {
      await copyFile(at("good.backup"), at("bad.backup"));
      await flip(at("bad.backup"), place);
      expect((await workshop.run(["backup", "verify", "bad.backup", ...flags])).exitCode).toBe(78);
    }
    for (const rest of [0, 10, 25, size - 1]) {
      await writeFile(at("bad.backup"), (await readFile(at("good.backup"))).subarray(0, rest));
      expect((await workshop.run(["backup", "verify", "bad.backup", ...flags])).exitCode).toBe(78);
    }
  });

  test.each([
    ["no manifest", "has changed since it was made"],
    ['{"object":"backup","format":2}', "made by a newer fiscal"],
  ])("a file that ends with %s", async (end, message) => {
    const text = Buffer.from(`\n${end}`);
    const sum = createHash("sha256").update(text).digest("hex");
    const footer = Buffer.from(`${sum}${text.length.toString(16).padStart(8, "0")}FISCALB1`);
    await writeFile(at("forged.db"), Buffer.concat([await readFile(database()), text, footer]));
    const run = await workshop.run("backup verify forged.db");
    expect([run.exitCode, run.stderr]).toEqual([78, expect.stringContaining(message)]);
  });

  test("a copy by another tool without --without-checksum", async () => {
    const plain = new Database(database(), { readonly: true });
    await plain.backup(at("plain.db"));
    plain.close();
    expectRefused(await workshop.run("backup verify plain.db"), 78, "--without-checksum");
    const taken = await workshop.run("backup verify plain.db --without-checksum --json");
    expect(taken.json<{ counts: object }>().counts).toMatchObject({ documents: 2 });
    await withOther(async (run) => {
      expect((await run(["restore", at("plain.db"), "--without-checksum", "--yes"])).exitCode).toBe(0);
      expect((await run(["doctor", "--json"])).json<PrintedDiagnosis>().findings).toContainEqual(
        expect.objectContaining({ check: "database", message: expect.stringContaining("held") }),
      );
    });
  });
});

describe("a copy by another tool", () => {
  /** Copies database and log while a server has them open. */
  async function copyInUse(): Promise<void> {
    const inUse = new Database(database());
    inUse.prepare("update merchants set name = 'Νέο όνομα'").run();
    expect((await stat(`${database()}-wal`)).size).toBeGreaterThan(0);
    for (const suffix of ["", "-wal"]) await copyFile(database() + suffix, at("copy.db") + suffix);
    inUse.close();
  }

  test("is restored with the contents of its log", async () => {
    await copyInUse();
    await withOther(async (run) => {
      expect((await run(["restore", at("copy.db"), "--without-checksum", "--yes"])).exitCode).toBe(0);
      const { data } = (await run(["merchants", "list", "--json"])).json<{ data: { name: string }[] }>();
      expect(data.map(({ name }) => name)).toEqual(["Νέο όνομα"]);
    });
  });

  test("is rejected if its log cannot be used", async () => {
    await copyInUse();
    await rm(at("copy.db-wal"));
    await writeFile(at("copy.db-journal"), await readFile(database()));
    await mkdir(at("copy.db-wal"));
    await withOther(async (run, folder) => {
      const refused = await run(["restore", at("copy.db"), "--without-checksum", "--yes"]);
      expectRefused(refused, 78, "log beside it");
      expect(await readdir(folder)).toEqual(["master.key"]);
    });
  });

  test.each([
    [
      "a trigger",
      "create trigger evil after update on appliance begin delete from events; end",
      "+ trigger evil",
    ],
    ["a virtual table", "create virtual table words using fts5 (text)", "+ virtual table words"],
    ["another table", "create table notes (text)", "+ table notes"],
    ["another view", "create view totals as select count(*) as n from documents", "+ view totals"],
    [
      "a view instead of a table",
      "drop table column_maps; create view column_maps as select 1",
      "- table column_maps; + view column_maps",
    ],
    ["an index that is missing", "drop index documents_one_number", "- index documents_one_number"],
    ["another index", "create unique index one_name on merchants (name)", "+ index one_name"],
  ])("is rejected with %s in it", async (_name, sql, object) => {
    await copyFile(database(), at("hostile.db"));
    const hostile = new Database(at("hostile.db"));
    hostile.exec(sql);
    hostile.close();
    await withOther(async (run, folder) => {
      const refused = await run(["restore", at("hostile.db"), "--without-checksum", "--yes"]);
      expectRefused(refused, 78, `: ${object}`);
      expect(await readdir(folder)).toEqual(["master.key"]);
    });
  });

  test("may have Litestream's tables", async () => {
    await copyFile(database(), at("copy.db"));
    const copy = new Database(at("copy.db"));
    copy.exec("create table _litestream_seq (id integer primary key, seq integer)");
    copy.close();
    await withOther(async (run) => {
      expect((await run(["restore", at("copy.db"), "--without-checksum", "--yes"])).exitCode).toBe(0);
    });
  });
});

describe("a database in use that a restore would refuse", () => {
  test("is not backed up; the message names the difference and what to do", async () => {
    const live = new Database(database());
    live.exec("create trigger hostile after insert on events begin delete from documents; end");
    live.close();
    const refused = await workshop.run("backup made.backup");
    expect([refused.exitCode, refused.stderr]).toEqual([
      78,
      expect.stringMatching(/^fiscal: The schema of .*fiscal\.db is not the one/),
    ]);
    for (const words of ["additional): + trigger hostile.", "undo in the database"])
      expect(refused.stderr).toContain(words);
    expect(refused.stderr).not.toContain("nother backup");
    await expect(stat(at("made.backup"))).rejects.toThrow("ENOENT");
  });

  test("is not backed up either if it is damaged", async () => {
    await writeFile(`${database()}`, (await readFile(database())).fill(0x5a, 8192, 12_288));
    const refused = await workshop.run("backup made.backup");
    expectRefused(refused, 78, "restore the last good backup");
    expect(refused.stderr).not.toContain("nother backup");
  });
});

describe("an encrypted backup", () => {
  beforeEach(() => writeFile(at("passphrase"), "correct horse battery\nsecond line"));
  const flags = ["--passphrase-file", "passphrase"];

  test("is restored with its passphrase, and reveals nothing without it", async () => {
    const made = await workshop.run(["backup", "sealed.backup", ...flags, "--json"]);
    expect(made.json<BackupObject>().encrypted).toBe(true);
    const bytes = await readFile(at("sealed.backup"));
    expect([bytes.includes("SQLite format"), bytes.includes("Παράδειγμα")]).toEqual([false, false]);
    expectRefused(await workshop.run("backup verify sealed.backup"), 78, "--passphrase-file");
    await writeFile(at("other-passphrase"), "another passphrase");
    const refused = await workshop.run("backup verify sealed.backup --passphrase-file other-passphrase");
    expectRefused(refused, 78, "the passphrase is wrong");
    await withOther(async (run) => {
      const restored = await run([
        "restore",
        at("sealed.backup"),
        "--passphrase-file",
        at("passphrase"),
        "--yes",
      ]);
      expect(restored.exitCode).toBe(0);
      expect((await run(["documents", "list", "--json"])).json<DocumentList>().data).toHaveLength(2);
    });
  });

  test("uses the configured passphrase file", async () => {
    const env = { FISCAL_BACKUP__PASSPHRASE_FILE: at("passphrase") };
    expect((await workshop.read<BackupObject>("backup a.backup", { env })).encrypted).toBe(true);
    expect((await workshop.run("backup verify a.backup", { env })).exitCode).toBe(0);
  });

  test.each([
    ["that is too short", "short"],
    ["that is empty", ""],
  ])("is not made with a passphrase %s", async (_name, text) => {
    await writeFile(at("passphrase"), text);
    const run = await workshop.run(["backup", "a.backup", ...flags]);
    expectRefused(run, 78, "at least 8 characters");
    expect(run.stderr).not.toContain(`"${text}"`);
  });
});

test("restore checks that the file exists before it asks", async () => {
  for (const args of [["missing.db"], ["missing.db", "--replace"]]) {
    const run = await workshop.run(["restore", ...args], answering({ Restore: "n\n", Replace: "n\n" }));
    expectRefused(run, 78, "missing.db");
    expect(run.stdout + run.stderr).not.toContain("?");
  }
});

describe("a restored backup", () => {
  test("has the backed-up data, is on hold, and works again after resume", async () => {
    await workshop.run("backup one.db");
    const before = await listed(workshop);
    await withOther(async (run, folder) => {
      const restored = await run(["restore", at("one.db"), "--yes", "--json"]);
      expect(restored.json()).toMatchObject({ object: "restoration", held: true, kept_aside: null });
      expect(restored.stderr).toContain(`run: fiscal --data-dir ${folder} resume\n`);
      expect(restored.stderr).toContain(`counters (fiscal --data-dir ${folder} numbering show)`);
      expect((await run(["documents", "list", "--json"])).json<DocumentList>().data).toEqual(before);
      expect((await run(["documents", "show", before[0]!.id])).stdout).toContain("Καφές");
      expectRefused(await run(["documents", "retry", before[0]!.id]), 5, "fiscal resume");
      expectRefused(await run(["resume"]), 2, "--yes");
      expect((await run(["resume", "--yes", "--json"])).json()).toMatchObject({ held: false, resumed: true });
      const again = await run(["resume", "--yes", "--json"]);
      expect([again.exitCode, again.json()]).toEqual([0, expect.objectContaining({ resumed: false })]);
      expect((await run(["numbering", "audit"])).exitCode).toBe(0);
    });
  });

  test("replaces a database only with --replace, and keeps the old one", async () => {
    await workshop.run("backup one.db");
    await issue(workshop, [receipt("third")]);
    expectRefused(await workshop.run("restore one.db --yes"), 1, "--replace");
    expect(await listed(workshop)).toHaveLength(3);
    const done = await workshop.run("restore one.db --yes --replace --json");
    const { kept_aside: aside } = done.json<{ kept_aside: string }>();
    expect(await listed(workshop)).toHaveLength(2);
    const old = new Database(aside, { readonly: true });
    expect(old.prepare("select count(*) as rows from documents").get()).toEqual({ rows: 3 });
    old.close();
  });

  test("does not replace a database in use", async () => {
    await workshop.run("backup one.db");
    await using server = await closing(openBench({ folder: workshop.folder }));
    expectRefused(await workshop.run("restore one.db --yes --replace"), 1, "in use");
    await server.makeKey("test");
    expect((await readdir(at("data"))).filter((name) => name.includes("restore"))).toEqual([]);
  });

  test("replaces a damaged database", async () => {
    await workshop.run("backup one.db");
    await writeFile(database(), "no database any more");
    await writeFile(`${database()}-wal`, "nor a log");
    expect((await workshop.run("restore one.db --yes --replace")).exitCode).toBe(0);
    expect(await listed(workshop)).toHaveLength(2);
  });

  test("is rejected with another master key or without one", async () => {
    await workshop.run("backup one.db");
    await withOther(async (run, folder) => {
      await chmod(join(folder, "master.key"), 0o600);
      await writeFile(join(folder, "master.key"), "11".repeat(32));
      expectRefused(await run(["restore", at("one.db"), "--yes"]), 78, "master key is not the one");
      await rm(join(folder, "master.key"));
      expectRefused(await run(["restore", at("one.db"), "--yes"]), 78, "is missing");
      expect(await readdir(folder)).toEqual([]);
    });
  });

  test("is rejected from a newer version", async () => {
    const newer = new Database(database());
    newer.pragma("user_version = 99");
    newer.close();
    await copyFile(database(), at("newer.db"));
    await withOther(async (run) => {
      const refused = await run(["restore", at("newer.db"), "--without-checksum", "--yes"]);
      expectRefused(refused, 78, "newer fiscal");
    });
  });

  test("requires --yes without a terminal", async () => {
    await workshop.run("backup one.db");
    await withOther(async (run, folder) => {
      expect((await run(["restore", at("one.db")])).exitCode).toBe(2);
      expect(await readdir(folder)).toEqual(["master.key"]);
    });
  });
});
