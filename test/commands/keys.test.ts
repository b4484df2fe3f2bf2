import { beforeEach, describe, expect, test } from "vitest";
import type { KeyObject } from "../../src/keys/api-keys.ts";
import { answering, expectRefused, openWorkshop } from "../helpers/program.ts";
import { forEachTest } from "../helpers/set-up.ts";
import { randomBytes } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Rotation } from "../../src/keys/rotation.ts";
import { CAN_MOUNT, mountSmallDisk } from "../helpers/small-disk.ts";

const workshop = forEachTest(openWorkshop);
beforeEach(() => workshop.run("init --yes"));

const SECRET = /^fiscal_test_[0-9A-Za-z]{36}$/;

async function listKeys(): Promise<KeyObject[]> {
  return await workshop.list<KeyObject>("keys list");
}

describe("keys create", () => {
  test("prints only the secret to stdout and a warning to stderr", async () => {
    const run = await workshop.run("keys create --mode test --name 'web shop'");
    expect(run.exitCode).toBe(0);
    expect(run.stdout.trimEnd()).toMatch(SECRET);
    expect(run.stderr).toContain("cannot be shown again");
    expect(run.stderr).not.toContain(run.stdout.trim());
  });

  test("--json prints the key with its secret", async () => {
    const run = await workshop.run("--json keys create --mode test --name a --expires-in 30".split(" "));
    const key = run.json<KeyObject & { secret: string }>();
    expect(key).toMatchObject({
      object: "api_key",
      mode: "test",
      name: "a",
      revoked_at: null,
      last_used_at: null,
    });
    expect(key.secret).toMatch(SECRET);
    expect(key.last4).toBe(key.secret.slice(-4));
    expect(Date.parse(key.expires_at!) - Date.parse(key.created)).toBe(30 * 86_400_000);
  });

  test("creates a live key with --live", async () => {
    expect((await workshop.read<KeyObject>("--live keys create --name a")).mode).toBe("live");
  });

  test("asks on a terminal for what is missing", async () => {
    const answers = answering({ "What is the key for?": "till\r" });
    expect((await workshop.read<KeyObject>("keys create --mode test", answers)).name).toBe("till");
  });
});

describe("keys list", () => {
  test("lists keys newest first, as a table or a list object, without secrets", async () => {
    const { stdout: first } = await workshop.run("keys create --mode test --name one");
    await workshop.run("keys create --mode live --name two");
    const asJson = await workshop.run("keys list --json");
    expect(asJson.json()).toMatchObject({
      object: "list",
      data: [{ name: "two" }, { name: "one" }],
      has_more: false,
    });
    const asTable = await workshop.run("keys list");
    expect(asTable.stdout).toMatch(/two[\s\S]*one/);
    for (const { stdout } of [asJson, asTable]) expect(stdout).not.toContain(first.trim());
  });
});

describe("keys revoke", () => {
  test("finds the key by name, id or last four characters", async () => {
    for (const name of ["one", "two", "three"]) await workshop.run(`keys create --mode test --name ${name}`);
    const [three, two] = await listKeys();
    for (const name of ["one", two!.id, three!.last4]) {
      expect(await workshop.run(`keys revoke ${name} --yes`)).toMatchObject({ exitCode: 0 });
    }
    expect((await listKeys()).every(({ revoked_at }) => revoked_at !== null)).toBe(true);
  });

  test("changes nothing and names the flag without a terminal and --yes", async () => {
    await workshop.run("keys create --mode test --name one");
    expectRefused(await workshop.run("keys revoke one"), 2, "--yes");
    expect((await listKeys())[0]!.revoked_at).toBeNull();
  });

  test.each([
    { answer: "y\r", exitCode: 0, revoked: true },
    { answer: "n\r", exitCode: 1, revoked: false },
    { answer: "\r", exitCode: 1, revoked: false },
    { answer: "\u0003", exitCode: 130, revoked: false },
    { answer: "\u0004", exitCode: 130, revoked: false },
  ])("exits with $exitCode for the answer $answer", async ({ answer, exitCode, revoked }) => {
    await workshop.run("keys create --mode test --name one");
    const run = await workshop.run("keys revoke one", answering({ "Revoke the key: one, ": answer }));
    expect(run.exitCode).toBe(exitCode);
    expect((await listKeys())[0]!.revoked_at !== null).toBe(revoked);
  });

  test("exits with 2 for an ambiguous name and 1 for a revoked key", async () => {
    for (const name of ["one", "one"]) await workshop.run(`keys create --mode test --name ${name}`);
    expect(await workshop.run("keys revoke one --yes")).toMatchObject({ exitCode: 2 });
    const [key] = await listKeys();
    expect(await workshop.run(`keys revoke ${key!.id} --yes`)).toMatchObject({ exitCode: 0 });
    expect(await workshop.run(`keys revoke ${key!.id} --yes`)).toMatchObject({ exitCode: 1 });
  });
});

describe("keys roll", () => {
  test("prints only the new secret to stdout and the end of the old key to stderr", async () => {
    const { stdout: old } = await workshop.run("keys create --mode test --name 'web shop'");
    const run = await workshop.run("keys roll 'web shop' --overlap 14");
    expect(run.exitCode).toBe(0);
    expect(run.stdout.trimEnd()).toMatch(SECRET);
    expect(run.stdout).not.toBe(old);
    expect(run.stderr).toMatch(/The old key, key_.* works until /);
    expect(await listKeys()).toMatchObject([{ expires_at: null }, { expires_at: expect.any(String) }]);
  });

  test("asks before revoking the old key at once, and prints both keys with --json", async () => {
    await workshop.run("keys create --mode test --name a");
    expectRefused(await workshop.run("keys roll a --overlap 0"), 2);
    expect(await workshop.read("keys roll a --overlap 0 --yes")).toMatchObject({
      object: "api_key",
      secret: expect.any(String),
      replaces: { name: "a" },
    });
  });
});

describe("keys rotate-master", () => {
  const keyFile = () => join(workshop.folder, "data", "master.key");
  const KEY = randomBytes(32);

  test("replaces the key and says where the old one is, without showing either", async () => {
    const old = readFileSync(keyFile(), "utf8").trim();
    const run = await workshop.run("keys rotate-master --yes", { terminal: true });
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toMatch(/has replaced .*\n.*master\.key\.retired-/);
    const key = readFileSync(keyFile(), "utf8").trim();
    expect(key).not.toBe(old);
    for (const secret of [old, key]) expect(run.stdout + run.stderr).not.toContain(secret);
    expect((await workshop.run("keys list")).exitCode).toBe(0);
  });

  test.each([KEY.toString("hex"), KEY.toString("base64"), `# made elsewhere\n${KEY.toString("hex")}\n`])(
    "takes the new key from a file",
    async (text) => {
      writeFileSync(join(workshop.folder, "new"), text);
      expect(await workshop.read<Rotation>("keys rotate-master --yes --new-key-file new")).toMatchObject({
        object: "master_key_rotation",
        resumed: false,
      });
      expect(readFileSync(keyFile(), "utf8").trim()).toBe(KEY.toString("hex"));
    },
  );

  test.skipIf(!CAN_MOUNT)("explains what to do for a key on a read-only disk", async () => {
    const disk = mountSmallDisk(1);
    try {
      const handed = join(disk.folder, "master_key");
      copyFileSync(keyFile(), handed);
      disk.remountReadOnly();
      const run = await workshop.run("keys rotate-master --yes", {
        env: { FISCAL_SECURITY__MASTER_KEY_FILE: handed },
      });
      expect({ ...run, stderr: "" }).toMatchObject({ exitCode: 78, stdout: "" });
      expect(run.stderr).toMatch(
        /master_key cannot be replaced: .*reading only\. Nothing was changed\. .*FISCAL_MASTER_KEY/,
      );
      expect(run.stderr.trim().split("\n")).toHaveLength(1);
    } finally {
      disk.remove();
    }
    expect((await workshop.run("keys list")).exitCode).toBe(0);
  });

  test("names the variables to set for a key in the environment", async () => {
    const old = readFileSync(keyFile(), "utf8").trim();
    const refused = await workshop.run("keys rotate-master --yes", {
      env: { FISCAL_MASTER_KEY: old },
    });
    expectRefused(refused, 78, "FISCAL_MASTER_KEY_PREVIOUS");
  });
});
