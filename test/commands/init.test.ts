import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectRefused, expectSaid, openWorkshop } from "../helpers/program.ts";
import { forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openWorkshop);

describe("init", () => {
  test("creates the data directory, the database, and a master key that only its owner can read", async () => {
    const run = await workshop.run("init --yes --json");
    const folder = workshop.at("data");
    expect(run.exitCode).toBe(0);
    expect(run.json()).toEqual({
      data_dir: folder,
      database: join(folder, "fiscal.db"),
      master_key: join(folder, "master.key"),
      created: true,
    });
    expect((await stat(join(folder, "master.key"))).mode & 0o777).toBe(0o600);
  });

  test("changes nothing the second time, and says so", async () => {
    await workshop.run("init --yes");
    const key = await readFile(workshop.at("data/master.key"));
    expectSaid(await workshop.run("init"), 0, "nothing was changed");
    expect(await readFile(workshop.at("data/master.key"))).toEqual(key);
  });

  test("requires --yes without a terminal, and creates nothing", async () => {
    expectRefused(await workshop.run("init"), 2, "--yes");
    await expect(stat(workshop.at("data"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("is optional for commands that create something; one that only reads names the folder", async () => {
    const folder = workshop.at("data");
    expectRefused(await workshop.run("documents list"), 78, `The data directory ${folder} has no database`);
    expect(existsSync(folder)).toBe(false);
    const created = await workshop.run("keys create --mode test --name shop");
    expectSaid(created, 0, `Created the data directory ${folder}.\n`);
    expect(await workshop.read("init")).toMatchObject({ created: false });
  });
});

describe("exit code 78", () => {
  test.each(["merchants list", "audit", "backup one.db"])(
    "is for another master key or none: %s",
    async (line) => {
      await workshop.run("init --yes");
      const refused = await workshop.run(line, { env: { FISCAL_MASTER_KEY: "0".repeat(64) } });
      expectRefused(refused, 78, "master key is not the one");
      expect(refused.stderr).not.toContain("0000");
      await rm(workshop.at("data/master.key"));
      expectRefused(await workshop.run(line), 78, "is missing");
      expect(await readdir(workshop.folder)).toEqual(["data"]);
    },
  );

  test("is for a file that is not a database", async () => {
    await mkdir(workshop.at("data"));
    await workshop.run("init --yes");
    await workshop.write("data/fiscal.db", "this is not a database, and long enough to be looked at");
    expect(await workshop.run("merchants list")).toMatchObject({ exitCode: 78, stdout: "" });
  });

  test("is for an unknown setting, with an error object for --json", async () => {
    await workshop.write("bad.toml", "[server]\nprot = 1\n");
    const run = await workshop.run("--config bad.toml merchants list --json");
    expect(run.exitCode).toBe(78);
    expect(JSON.parse(run.stderr)).toMatchObject({ code: "internal_error", retryable: false });
    expect(run.stderr).toContain("prot");
  });

  test("is for a data directory inside a file", async () => {
    await workshop.write("file", "");
    const run = await workshop.runBare("--data-dir file/data merchants list");
    expect(run).toMatchObject({ exitCode: 78, stdout: "" });
  });
});

test.each<{ args: string[]; env: Record<string, string>; mode: string }>([
  { args: [], env: {}, mode: "test" },
  { args: ["--live"], env: {}, mode: "live" },
  { args: [], env: { FISCAL_DEFAULT_MODE: "live" }, mode: "live" },
])("the mode is $mode with $args and $env", async ({ args, env, mode }) => {
  const made = await workshop.run([...args, "merchants", "add", "--external-id", "m", "--name", "M"], {
    env,
  });
  expect(made.exitCode).toBe(0);
  const events = await workshop.run([...args, "events", "list", "--json"], { env });
  expect(events.json()).toMatchObject({ data: [{ type: "merchant.created", livemode: mode === "live" }] });
});
