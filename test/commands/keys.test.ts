import { randomBytes } from "node:crypto";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { KeyObject } from "../../src/keys/api-keys.ts";
import type { Rotation } from "../../src/keys/rotation.ts";
import { answering, expectRefused, openWorkshop, expectPrinted } from "../helpers/program.ts";
import { forEachTest } from "../helpers/set-up.ts";
import { CAN_MOUNT, mountSmallDisk } from "../helpers/small-disk.ts";

const workshop = forEachTest(openWorkshop);
beforeEach(() => workshop.run("init --yes"));

const SECRET = /^fiscal_test_[0-9A-Za-z]{36}$/;

const keys = (line: string, options = {}) => workshop.run(`keys ${line}`, options);
const create = (name: string, mode = "test") => keys(`create --mode ${mode} --name '${name}'`);
const list = () => workshop.list<KeyObject>("keys list");

describe("keys create", () => {
  test("prints only the secret to stdout and a warning to stderr", async () => {
    const run = await create("web shop");
    expect(run.exitCode).toBe(0);
    expect(run.stdout.trimEnd()).toMatch(SECRET);
    expect(run.stderr).toContain("cannot be shown again");
    expect(run.stderr).not.toContain(run.stdout.trim());
  });

  test("--json prints the key with its secret, --live makes a live one", async () => {
    const key = await workshop.read<KeyObject & { secret: string }>(
      "keys create --mode test --name a --expires-in 30",
    );
    const fields = { object: "api_key", mode: "test", name: "a", revoked_at: null, last_used_at: null };
    expect(key).toMatchObject(fields);
    expect(key.secret).toMatch(SECRET);
    expect(key.last4).toBe(key.secret.slice(-4));
    expect(Date.parse(key.expires_at!) - Date.parse(key.created)).toBe(30 * 86_400_000);
    expect(await workshop.read("--live keys create --name a")).toMatchObject({ mode: "live" });
  });

  test("asks on a terminal for what is missing", async () => {
    const run = await keys("create --mode test --json", answering({ "What is the key for?": "till\r" }));
    expect(run.json<KeyObject>().name).toBe("till");
  });
});

test("keys list lists keys newest first, as a table or a list object, without secrets", async () => {
  const { stdout: first } = await create("one");
  await create("two", "live");
  const [asJson, asTable] = [await keys("list --json"), await keys("list")];
  const data = [{ name: "two" }, { name: "one" }];
  expect(asJson.json()).toMatchObject({ object: "list", data, has_more: false });
  expect(asTable.stdout).toMatch(/two[\s\S]*one/);
  for (const { stdout } of [asJson, asTable]) expect(stdout).not.toContain(first.trim());
});

describe("keys revoke", () => {
  test("finds the key by name, id or last four characters", async () => {
    for (const name of ["one", "two", "three"]) await create(name);
    const [three, two] = await list();
    for (const name of ["one", two!.id, three!.last4])
      expect(await keys(`revoke ${name} --yes`)).toMatchObject({ exitCode: 0 });
    expect((await list()).every(({ revoked_at }) => revoked_at !== null)).toBe(true);
  });

  test("changes nothing and names the flag without a terminal and --yes", async () => {
    await create("one");
    expectRefused(await keys("revoke one"), 2, "--yes");
    expect(await list()).toMatchObject([{ revoked_at: null }]);
  });

  test.each([
    { answer: "y\r", exitCode: 0, revoked: true },
    { answer: "n\r", exitCode: 1, revoked: false },
    { answer: "\r", exitCode: 1, revoked: false },
    { answer: "\u0003", exitCode: 130, revoked: false },
    { answer: "\u0004", exitCode: 130, revoked: false },
  ])("exits with $exitCode for the answer $answer", async ({ answer, exitCode, revoked }) => {
    await create("one");
    const run = await keys("revoke one", answering({ "Revoke the key: one, ": answer }));
    expect(run.exitCode).toBe(exitCode);
    expect((await list())[0]!.revoked_at !== null).toBe(revoked);
  });

  test("exits with 2 for an ambiguous name and 1 for a revoked key", async () => {
    for (const name of ["one", "one"]) await create(name);
    expect(await keys("revoke one --yes")).toMatchObject({ exitCode: 2 });
    const [key] = await list();
    for (const exitCode of [0, 1]) expect(await keys(`revoke ${key!.id} --yes`)).toMatchObject({ exitCode });
  });
});

test("keys roll prints only the new secret to stdout and the end of the old key to stderr", async () => {
  const { stdout: old } = await create("web shop");
  const run = await keys("roll 'web shop' --overlap 14");
  expect(run.exitCode).toBe(0);
  expect(run.stdout.trimEnd()).toMatch(SECRET);
  expect(run.stdout).not.toBe(old);
  expect(run.stderr).toMatch(/The old key, key_.* works until /);
  expect(await list()).toMatchObject([{ expires_at: null }, { expires_at: expect.any(String) }]);
});

test("keys roll asks before revoking the old key at once, and prints both keys with --json", async () => {
  await create("a");
  expectRefused(await keys("roll a --overlap 0"), 2);
  const rolled = { object: "api_key", secret: expect.any(String), replaces: { name: "a" } };
  expect(await workshop.read("keys roll a --overlap 0 --yes")).toMatchObject(rolled);
});

describe("keys rotate-master", () => {
  const keyFile = () => workshop.at("data", "master.key");
  const keyInFile = () => readFileSync(keyFile(), "utf8").trim();
  const rotate = (options = {}) => keys("rotate-master --yes", options);
  const KEY = randomBytes(32);

  test("replaces the key and says where the old one is, without showing either", async () => {
    const old = keyInFile();
    const run = await rotate({ terminal: true });
    expectPrinted(run, 0, /has replaced .*\n.*master\.key\.retired-/);
    expect(keyInFile()).not.toBe(old);
    for (const secret of [old, keyInFile()]) expect(run.stdout + run.stderr).not.toContain(secret);
    expect((await keys("list")).exitCode).toBe(0);
  });

  test.each([KEY.toString("hex"), KEY.toString("base64"), `# made elsewhere\n${KEY.toString("hex")}\n`])(
    "takes the new key from a file",
    async (text) => {
      await workshop.write("new", text);
      const rotation = await workshop.read<Rotation>("keys rotate-master --yes --new-key-file new");
      expect(rotation).toMatchObject({ object: "master_key_rotation", resumed: false });
      expect(keyInFile()).toBe(KEY.toString("hex"));
    },
  );

  test.skipIf(!CAN_MOUNT)("explains what to do for a key on a read-only disk", async () => {
    const disk = mountSmallDisk(1);
    try {
      const handed = join(disk.folder, "master_key");
      copyFileSync(keyFile(), handed);
      disk.remountReadOnly();
      const run = await rotate({ env: { FISCAL_SECURITY__MASTER_KEY_FILE: handed } });
      expectRefused(
        run,
        78,
        /master_key cannot be replaced: .*reading only\. Nothing was changed\. .*FISCAL_MASTER_KEY/,
      );
      expect(run.stderr.trim().split("\n")).toHaveLength(1);
    } finally {
      disk.remove();
    }
    expect((await keys("list")).exitCode).toBe(0);
  });

  test("names the variables to set for a key in the environment", async () => {
    const refused = await rotate({ env: { FISCAL_MASTER_KEY: keyInFile() } });
    expectRefused(refused, 78, "FISCAL_MASTER_KEY_PREVIOUS");
  });
});
