/** `fiscal quickstart`. */
import { mkdir, readdir, stat } from "node:fs/promises";
import { expect, test } from "vitest";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { expectSaid, openWorkshop, expectPrinted } from "../helpers/program.ts";
import { forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openWorkshop);

const SECRET = /fiscal_test_[0-9A-Za-z]{36}/;

test("issues the twelve examples in a separate folder, shows a key once, and suggests commands", async () => {
  const run = await workshop.runBare("quickstart");
  expectPrinted(run, 0, SECRET);
  expect(run.stdout.match(/issued\t4\d{14}/g)).toHaveLength(11);
  expect(run.stdout.match(/rejected\t102/g)).toHaveLength(1);
  expect(run.stdout).toContain(" EUR\t");
  expect(run.stderr.match(/data directory .*/gi)).toEqual([
    `data directory ${workshop.at("fiscal-quickstart")}.`,
  ]);
  expect(run.stderr).toContainAll("Merchant: Παράδειγμα Α.Ε.\n", "rejected on purpose");
  expect(run.stderr).not.toContain("warning");
  expect(await readdir(workshop.folder)).toEqual(["fiscal-quickstart"]);
});

test("issues nothing twice and creates no second key in a second run, and says so", async () => {
  const first = await workshop.runBare("quickstart --json");
  const second = await workshop.runBare("quickstart --json");
  const folder = `Data directory: ${workshop.at("fiscal-quickstart")}`;
  expectSaid(second, 0, folder, "nothing was issued twice", "not shown again");
  expect(second.stderr).not.toMatch(SECRET);
  expect(second.json()).toEqual(first.json());
  const keys = await workshop.runBare("--data-dir fiscal-quickstart keys list --json");
  expect(keys.json<{ data: unknown[] }>().data).toHaveLength(1);
});

test("suggests commands that work unchanged", async () => {
  const folder = "with space & 'quote'";
  const run = await workshop.runBare(["quickstart", "--data-dir", folder]);
  const commands = [
    ...run.stderr.matchAll(/^ {2}fiscal --data-dir (.+) (documents .*|numbering .*|serve)$/gm),
  ];
  expect(commands.map(([, , verb]) => verb)).toEqual([
    "documents list --status rejected",
    "numbering audit",
    "serve",
  ]);
  expect(commands[0]![1]).toBe(`'./with space & '\\''quote'\\'''`);
  const list = await workshop.runBare(["--data-dir", folder, ...commands[0]![2]!.split(" "), "--json"]);
  expect(list.json<{ data: unknown[] }>().data).toHaveLength(1);
});

test("suggests npx commands when npx started it", async () => {
  const run = await workshop.runBare("quickstart", { env: { npm_command: "exec" } });
  expect(run.stderr).toContain("npx fiscal --data-dir ./fiscal-quickstart documents list");
});

test("never touches the configured database", async () => {
  const config =
    '[storage]\ndatabase = "real/business.db"\n[security]\nmaster_key_file = "real/master.key"\n';
  await mkdir(workshop.at("real"));
  await workshop.write("real/config.toml", config);
  expect(await workshop.runBare("quickstart", { env: { FISCAL_DATA_DIR: "real" } })).toMatchObject({
    exitCode: 0,
  });
  expect(await readdir(workshop.at("real"))).toEqual(["config.toml"]);
  expect((await stat(workshop.at("fiscal-quickstart/fiscal.db"))).isFile()).toBe(true);
});

test("issues in test mode even where live is the default", async () => {
  const run = await workshop.runBare("quickstart --json", { env: { FISCAL_DEFAULT_MODE: "live" } });
  expect(run.json<{ data: DocumentObject[] }>().data.every(({ mode }) => mode === "test")).toBe(true);
});
