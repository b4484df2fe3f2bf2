import { beforeEach, expect, test } from "vitest";
import type { ConsoleLink } from "../../src/console/sign-in.ts";
import { recordServing } from "../../src/upkeep/servers.ts";
import { openWorkshop } from "../helpers/program.ts";
import { forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openWorkshop);
beforeEach(() => workshop.run("init --yes"));

const TOKEN = /\/console\/sign-in\/[\w-]{43}$/;

test("prints a link alone on stdout, and on stderr for how long it is good", async () => {
  const run = await workshop.run("console");
  expect(run.exitCode).toBe(0);
  expect(run.stdout.trimEnd()).toMatch(TOKEN);
  expect(run.stdout).toContain("http://127.0.0.1:8787/console/");
  expect(run.stderr).toContain("signs in once to test mode");
  expect(run.stderr).not.toContain(run.stdout.trim());
});

test("--live --json prints the link with its mode and its end", async () => {
  const link = await workshop.read<ConsoleLink>("--live console");
  expect(link).toMatchObject({ object: "console_link", mode: "live", url: expect.stringMatching(TOKEN) });
  const minutes = (Date.parse(link.expires_at) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(9);
  expect(minutes).toBeLessThanOrEqual(10);
});

test.each([
  [["--port", "9000"], {}, "http://127.0.0.1:9000/console/"],
  [["--url", "https://fiscal.example.com/"], {}, "https://fiscal.example.com/console/"],
  [[], { FISCAL_SERVER__PUBLIC_URL: "https://fiscal.example.com" }, "https://fiscal.example.com/console/"],
  [["--port", "9000"], { FISCAL_SERVER__HOST: "::1" }, "http://[::1]:9000/console/"],
])("with %j and %j the link leads to %s…", async (args, env, address) => {
  expect((await workshop.run(["console", ...args], { env })).stdout).toContain(address);
});

test("without an address the link leads to the server that runs, whatever port it has", async () => {
  await workshop.run("init --yes");
  const serving = recordServing(workshop.at("data", "fiscal.db"), new Date().toISOString());
  serving.noteUrl("http://127.0.0.1:43210");
  const lines = async (...args: string[]) => (await workshop.run(["console", ...args])).stdout;
  expect(await lines()).toContain("http://127.0.0.1:43210/console/");
  expect(await lines("--port", "9000")).toContain("http://127.0.0.1:9000/console/");
  serving.release();
  expect(await lines()).toContain("http://127.0.0.1:8787/console/");
});

test("--sign-out-all ends every session and unused link, in both modes", async () => {
  await workshop.run("console");
  const run = await workshop.run("console --sign-out-all");
  expect(run).toMatchObject({ exitCode: 0, stdout: "sessions ended: 0\n" });
  expect(await workshop.read("console --sign-out-all")).toEqual({ object: "console_sign_out", ended: 0 });
});
