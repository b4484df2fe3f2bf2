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
import { resolve } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { PrintedDiagnosis } from "../../commands/root/doctor.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { openBench } from "../helpers/appliance.ts";
import { issue, listed } from "../helpers/issuing.ts";
import { answering, expectRefused } from "../helpers/program.ts";
import { receipt, openShop } from "../helpers/receipts.ts";
import { closing, forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openShop);
beforeEach(async () => {
  await issue(workshop, [receipt("first"), receipt("second", "rejected")]);
  await writeFile(at("passphrase"), "correct horse battery\nsecond line");
});

const at = (...names: string[]) => workshop.at(...names);
const database = () => at("data", "fiscal.db");
const PASSPHRASE = "--passphrase-file passphrase";

interface BackupObject {
  file: string;
  program: string;
  file_bytes: number;
  encrypted: boolean;
  counts: Record<string, number>;
  removed: string[];
}

const backUp = (line = "", env = {}) => workshop.read<BackupObject>(`backup ${line}`, { env });

/** A second machine that has only the master key, and its commands. */
const onOther = (line: string, env = {}) => workshop.run(`--data-dir ${at("other")} ${line}`, { env });
const readOther = <T>(line: string, env = {}) =>
  workshop.read<T>(`--data-dir ${at("other")} ${line}`, { env });
async function openOther(): Promise<void> {
  await mkdir(at("other"), { recursive: true });
  await copyFile(at("data", "master.key"), at("other", "master.key"));
}
const filesOfOther = () => readdir(at("other"));

function change(file: string, sql: string): void {
  const changed = new Database(file);
  changed.exec(sql);
  changed.close();
}

/** Copies the database as it is, and changes the copy. */
async function copyWith(sql: string): Promise<void> {
  await copyFile(database(), at("copy.db"));
  change(at("copy.db"), sql);
}

describe("a backup", () => {
  test("is a described database for any tool, on hold, readable only by its owner, and leaves no other file", async () => {
    const run = await workshop.run("backup copies/one.db --json");
    expect([run.exitCode, run.stderr]).toEqual([0, expect.stringContaining("not contain the master key")]);
    expect(run.stderr).toContain(`Created the folder ${at("copies")}.\n`);
    const backup = run.json<BackupObject>();
    const file = at("copies", "one.db");
    expect(backup).toMatchObject({ object: "backup", encrypted: false, file });
    expect(backup.counts).toMatchObject({ documents: 2, merchants: 1 });
    const own = JSON.parse(await readFile(resolve(import.meta.dirname, "../../package.json"), "utf8"));
    const verified = await backUp("verify copies/one.db");
    expect([backup.program, verified.program]).toEqual([own.version, own.version]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(at("copies"))).toEqual(["one.db"]);
    // The contents of documents are encrypted.
    const [bytes, key] = [await readFile(file), await readFile(at("data", "master.key"))];
    expect(["first", "Καφές", key].map((part) => bytes.includes(part))).toEqual([true, false, false]);
    const copy = new Database(file, { readonly: true });
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
    await writeFile(at("data", "master.key.retired-2026-01-01-0badcafe"), "a replaced key");
    await link(database(), at("link.db"));
    await symlink(at("data"), at("linked"));
    const before = await readFile(database());
    expectRefused(await workshop.run(`backup ${target} --force ${PASSPHRASE}`), 2, "is never replaced");
    expect((await readFile(database())).equals(before)).toBe(true);
    expect(await readFile(at("data", "master.key"), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
    expect(await listed(workshop)).toHaveLength(2);
  });

  describe("in the configured folder", () => {
    const keeping = (count: number) => ({
      FISCAL_BACKUP__DIRECTORY: at("kept"),
      FISCAL_BACKUP__KEEP: String(count),
    });

    /** Puts files in the folder, with the part of the name that is the same for all backups of the appliance. */
    async function put(...days: string[]): Promise<string[]> {
      const { file } = await backUp(`${at("elsewhere")}/`);
      const tag = /-([0-9a-f]{8})\.db$/.exec(file)![1]!;
      const names = days.map((day) => `fiscal-${day}T000000Z-${tag}.db`);
      await mkdir(at("kept"));
      for (const name of names) await writeFile(at("kept", name), "");
      return [...names, tag];
    }

    test("is named by time and appliance, and only its newest stay", async () => {
      const [first, second, tag] = await put("20250101", "20250102");
      const others = ["fiscal-20250101T000000Z-00000000.db", "notes.txt"];
      for (const name of others) await writeFile(at("kept", name), "");
      expect((await backUp("", keeping(2))).removed).toEqual([first]);
      const made = expect.stringMatching(new RegExp(`^fiscal-\\d{8}T\\d{6}Z-${tag}\\.db$`));
      expect((await readdir(at("kept"))).sort()).toEqual([others[0], second, made, others[1]]);
    });

    test("is never removed, even if a fast clock named older ones later", async () => {
      const [first] = await put("20990101", "20990102");
      const made = await backUp("", keeping(2));
      expect(made.removed).toEqual([first]);
      expect((await stat(made.file)).size).toBe(made.file_bytes);
    });

    test("is never removed by an appliance that was restored from it, held or resumed", async () => {
      const env = keeping(1);
      const { file } = await backUp("", env);
      await openOther();
      await onOther(`restore ${file} --yes`);
      const made: BackupObject[] = [];
      const again = async () => made.push(await readOther<BackupObject>("backup", env));
      await again();
      await again();
      await onOther("resume --yes");
      await again();
      await again();
      const name = (path: string) => path.split("/").at(-1);
      expect(made.map(({ removed }) => removed)).toEqual([[], [], [], [name(made[2]!.file)]]);
      expect((await stat(file)).isFile()).toBe(true);
      expect((await backUp("", env)).removed).toEqual([name(file)]);
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

  test("fails for a missing database, and does not create one", async () => {
    expectRefused(await onOther("backup one.db"), 78, "There is no database");
    await expect(stat(at("other"))).rejects.toThrow("ENOENT");
  });

  test("leaves no file if it cannot be written", async () => {
    await writeFile(at("file"), "");
    expectRefused(await workshop.run("backup file/one.db"), 2, "file/one.db cannot be used");
  });

  test("of a database that a restore would refuse is not made; the message says what to do", async () => {
    change(database(), "create trigger hostile after insert on events begin delete from documents; end");
    const refused = await workshop.run("backup made.backup");
    expectRefused(refused, 78, "The schema of", "additional): + trigger hostile.", "undo in the database");
    expect(refused.stderr).not.toContain("nother backup");
    await expect(stat(at("made.backup"))).rejects.toThrow("ENOENT");
  });

  test("of a damaged database is not made", async () => {
    await writeFile(database(), (await readFile(database())).fill(0x5a, 8192, 12_288));
    const refused = await workshop.run("backup made.backup");
    expectRefused(refused, 78, "restore the last good backup");
    expect(refused.stderr).not.toContain("nother backup");
  });
});

async function flip(file: string, place: number): Promise<void> {
  const bytes = await readFile(file);
  bytes[place]! ^= 0x01;
  await writeFile(at("bad.db"), bytes);
}

test.each([
  ["plain", "", [0, 4096, -200, -50, -12, -1]],
  ["encrypted", PASSPHRASE, [0, 8, 12, 30, -1]],
])(
  "verify and restore reject a changed byte anywhere in a backup that is %s, and one that is cut off",
  async (_how, flags, places) => {
    const { file, file_bytes: size } = await backUp(`good.db ${flags}`);
    await openOther();
    const expectRejected = async () => {
      for (const verb of ["backup verify", "restore --yes"])
        expect((await onOther(`${verb} bad.db ${flags}`)).exitCode).toBe(78);
      expect(await filesOfOther()).toEqual(["master.key"]);
    };
    await fc.assert(
      fc.asyncProperty(fc.nat(size - 1), async (place) => {
        await flip(file, place);
        await expectRejected();
      }),
      { numRuns: 10, seed: 4711, examples: places.map((place) => [(place + size) % size]) },
    );
    for (const rest of [0, 10, 25, size - 1]) {
      await writeFile(at("bad.db"), (await readFile(file)).subarray(0, rest));
      await expectRejected();
    }
  },
);

test.each([
  ["no manifest", "has changed since it was made"],
  ['{"object":"backup","format":2}', "made by a newer fiscal"],
])("verify and restore reject a file that ends with %s", async (end, message) => {
  const text = Buffer.from(`\n${end}`);
  const sum = createHash("sha256").update(text).digest("hex");
  const footer = Buffer.from(`${sum}${text.length.toString(16).padStart(8, "0")}FISCALB1`);
  await writeFile(at("forged.db"), Buffer.concat([await readFile(database()), text, footer]));
  expectRefused(await workshop.run("backup verify forged.db"), 78, message);
});

describe("a copy by another tool", () => {
  const restore = () => onOther(`restore ${at("copy.db")} --without-checksum --yes`);
  beforeEach(openOther);

  /** Copies database and log while a server has them open. */
  async function copyInUse(): Promise<void> {
    const inUse = new Database(database());
    inUse.prepare("update merchants set name = 'Νέο όνομα'").run();
    expect((await stat(`${database()}-wal`)).size).toBeGreaterThan(0);
    for (const suffix of ["", "-wal"]) await copyFile(database() + suffix, at("copy.db") + suffix);
    inUse.close();
  }

  test("is taken only with --without-checksum, and is on hold", async () => {
    const plain = new Database(database(), { readonly: true });
    await plain.backup(at("copy.db"));
    plain.close();
    expectRefused(await workshop.run("backup verify copy.db"), 78, "--without-checksum");
    expect((await backUp("verify copy.db --without-checksum")).counts).toMatchObject({ documents: 2 });
    expect((await restore()).exitCode).toBe(0);
    const { findings } = (await onOther("doctor --json")).json<PrintedDiagnosis>();
    const message = expect.stringContaining("held");
    expect(findings).toContainEqual(expect.objectContaining({ check: "database", message }));
  });

  test("is restored with the contents of its log", async () => {
    await copyInUse();
    expect((await restore()).exitCode).toBe(0);
    expect(await readOther("merchants list")).toMatchObject({ data: [{ name: "Νέο όνομα" }] });
  });

  test("is rejected if its log cannot be used", async () => {
    await copyInUse();
    await rm(at("copy.db-wal"));
    await writeFile(at("copy.db-journal"), await readFile(database()));
    await mkdir(at("copy.db-wal"));
    expectRefused(await restore(), 78, "log beside it");
    expect(await filesOfOther()).toEqual(["master.key"]);
  });

  test.each([
    ["+ trigger evil", "create trigger evil after update on appliance begin delete from events; end"],
    ["+ virtual table words", "create virtual table words using fts5 (text)"],
    ["+ table notes", "create table notes (text)"],
    ["+ view totals", "create view totals as select count(*) as n from documents"],
    [
      "- table column_maps; + view column_maps",
      "drop table column_maps; create view column_maps as select 1",
    ],
    ["- index documents_one_number", "drop index documents_one_number"],
    ["+ index one_name", "create unique index one_name on merchants (name)"],
  ])("is rejected with %s", async (difference, sql) => {
    await copyWith(sql);
    expectRefused(await restore(), 78, `: ${difference}`);
    expect(await filesOfOther()).toEqual(["master.key"]);
  });

  test("is rejected from a newer version", async () => {
    await copyWith("pragma user_version = 99");
    expectRefused(await restore(), 78, "newer fiscal");
  });

  test("may have Litestream's tables", async () => {
    await copyWith("create table _litestream_seq (id integer primary key, seq integer)");
    expect((await restore()).exitCode).toBe(0);
  });
});

describe("an encrypted backup", () => {
  test("is restored with its passphrase, and reveals nothing without it", async () => {
    expect((await backUp(`sealed.backup ${PASSPHRASE}`)).encrypted).toBe(true);
    const bytes = await readFile(at("sealed.backup"));
    expect([bytes.includes("SQLite format"), bytes.includes("Παράδειγμα")]).toEqual([false, false]);
    expectRefused(await workshop.run("backup verify sealed.backup"), 78, "--passphrase-file");
    await writeFile(at("other-passphrase"), "another passphrase");
    const refused = await workshop.run("backup verify sealed.backup --passphrase-file other-passphrase");
    expectRefused(refused, 78, "the passphrase is wrong");
    await openOther();
    expect((await onOther(`restore sealed.backup ${PASSPHRASE} --yes`)).exitCode).toBe(0);
    expect(await readOther("documents list")).toMatchObject({ data: [{}, {}] });
  });

  test("uses the configured passphrase file", async () => {
    const env = { FISCAL_BACKUP__PASSPHRASE_FILE: at("passphrase") };
    expect((await backUp("a.backup", env)).encrypted).toBe(true);
    expect((await workshop.run("backup verify a.backup", { env })).exitCode).toBe(0);
  });

  test.each([
    ["that is too short", "short"],
    ["that is empty", ""],
  ])("is not made with a passphrase %s", async (_name, text) => {
    await writeFile(at("passphrase"), text);
    const run = await workshop.run(`backup a.backup ${PASSPHRASE}`);
    expectRefused(run, 78, "at least 8 characters");
    expect(run.stderr).not.toContain(`"${text}"`);
  });
});

test("restore checks that the file exists before it asks", async () => {
  for (const line of ["restore missing.db", "restore missing.db --replace"]) {
    const run = await workshop.run(line, answering({ Restore: "n\n", Replace: "n\n" }));
    expectRefused(run, 78, "missing.db");
    expect(run.stdout + run.stderr).not.toContain("?");
  }
});

describe("a restored backup", () => {
  beforeEach(async () => void (await backUp("one.db")));

  test("has the backed-up data, is on hold, and works again after resume", async () => {
    const before = await listed(workshop);
    await openOther();
    const restored = await onOther("restore one.db --yes --json");
    expect(restored.json()).toMatchObject({ object: "restoration", held: true, kept_aside: null });
    const there = `fiscal --data-dir ${at("other")}`;
    expect(restored.stderr).toContainAll(`run: ${there} resume\n`, `counters (${there} numbering show)`);
    const { data } = await readOther<{ data: DocumentObject[] }>("documents list");
    expect(data).toEqual(before);
    expect((await onOther(`documents show ${before[0]!.id}`)).stdout).toContain("Καφές");
    expectRefused(await onOther(`documents retry ${before[0]!.id}`), 5, "fiscal resume");
    expectRefused(await onOther("resume"), 2, "--yes");
    expect(await readOther("resume --yes")).toMatchObject({ held: false, resumed: true });
    expect(await readOther("resume --yes")).toMatchObject({ resumed: false });
    expect((await onOther("numbering audit")).exitCode).toBe(0);
  });

  test("replaces a database only with --replace, and keeps the old one", async () => {
    await issue(workshop, [receipt("third")]);
    expectRefused(await workshop.run("restore one.db --yes"), 1, "--replace");
    expect(await listed(workshop)).toHaveLength(3);
    const done = await workshop.read<{ kept_aside: string }>("restore one.db --yes --replace");
    expect(await listed(workshop)).toHaveLength(2);
    const old = new Database(done.kept_aside, { readonly: true });
    expect(old.prepare("select count(*) as rows from documents").get()).toEqual({ rows: 3 });
    old.close();
  });

  test("does not replace a database in use", async () => {
    await using server = await closing(openBench({ folder: workshop.folder }));
    expectRefused(await workshop.run("restore one.db --yes --replace"), 1, "in use");
    await server.makeKey("test");
    expect((await readdir(at("data"))).filter((name) => name.includes("restore"))).toEqual([]);
  });

  test("replaces a damaged database", async () => {
    await writeFile(database(), "no database any more");
    await writeFile(`${database()}-wal`, "nor a log");
    expect((await workshop.run("restore one.db --yes --replace")).exitCode).toBe(0);
    expect(await listed(workshop)).toHaveLength(2);
  });

  test("is rejected with another master key or without one", async () => {
    await openOther();
    await chmod(at("other", "master.key"), 0o600);
    await writeFile(at("other", "master.key"), "11".repeat(32));
    expectRefused(await onOther("restore one.db --yes"), 78, "master key is not the one");
    await rm(at("other", "master.key"));
    expectRefused(await onOther("restore one.db --yes"), 78, "is missing");
    expect(await filesOfOther()).toEqual([]);
  });
});
