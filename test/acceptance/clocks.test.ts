/** Runs the quick start, the API walk-through and the introduction of the API reference on machines with other dates. */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { INTRODUCTION } from "../../server/openapi/build-openapi.ts";
import { makeFolder } from "../helpers/folder.ts";
import { runBuilt, startBuilt } from "../helpers/server-process.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const LIBRARY = globSync("/usr/lib/*/faketime/libfaketime.so.1")[0];

/** What makes a process start at `instant`, and count on from there. */
function clockAt(instant: string): Record<string, string> {
  const seconds = Math.round((Date.parse(instant) - Date.now()) / 1000);
  return {
    LD_PRELOAD: LIBRARY ?? "",
    FAKETIME: `${seconds < 0 ? "" : "+"}${seconds}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}

/** The commands of a page, without those that start the server. */
function commandsOf(page: string): string {
  return [...page.matchAll(/^```sh\n([^]*?)^```$/gm)]
    .map(([, commands = ""]) => commands)
    .filter((commands) => !/serve$/m.test(commands))
    .join("");
}

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});

/**
 * Writes the programs that the pages name. Only they have another clock: in a pipe of other programs libfaketime sometimes fails,
 * because one removes the semaphore that the next is about to open.
 */
async function writePrograms(env: Record<string, string>): Promise<void> {
  const settings = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  for (const [name, before] of [
    ["npx", "shift\n"],
    ["fiscal", ""],
  ] as const) {
    const run = `exec env ${settings.join(" ")} '${process.execPath}' '${join(ROOT, "bin/fiscal.js")}' "$@"`;
    await writeFile(join(folder, name), `#!/bin/sh\n${before}${run}\n`, { mode: 0o755 });
  }
}

/** Runs the commands of a page as a reader does, against a server, and returns what they print. */
async function runPage(page: string, env: Record<string, string>): Promise<string> {
  await writePrograms(env);
  await using server = await startBuilt({ folder, env });
  const script = commandsOf(page).replaceAll("http://127.0.0.1:8787", new URL(server.url).origin);
  const { stdout, stderr } = spawnSync("bash", ["-c", script], {
    cwd: folder,
    env: { HOME: folder, PATH: `${folder}:${process.env["PATH"]}` },
    encoding: "utf8",
  });
  await server.stop();
  return `${stdout}${stderr}`;
}

describe.skipIf(LIBRARY === undefined)("at the date", () => {
  test.each(["2026-01-01T06:00:00Z", "2033-03-31T10:00:00Z", "2036-02-29T21:00:00Z"])(
    "%s the quick start, the API walk-through and the introduction work as written",
    async (instant) => {
      const env = { ...clockAt(instant), FISCAL_DATA_DIR: join(folder, "fiscal-quickstart") };
      const quickstart = await runBuilt(["quickstart"], { folder, env });
      expect(quickstart.stderr, quickstart.stdout).toContain("12 accepted: 11 issued, 1 rejected");
      const printed = await runPage(readFileSync(join(ROOT, "docs/api.md"), "utf8"), env);
      expect(printed).toContainAll('"status":"issued"', "idempotent-replayed: true", "idempotency_conflict");
      // 429 depends on how fast the machine is.
      for (const status of [401, 404, 409, 413, 415]) expect(printed).toContain(`HTTP/1.1 ${status} `);
      // What the service itself writes has the day of that clock.
      expect(printed).toContain(`"created":"${instant.slice(0, 10)}T`);

      const first = await runPage(INTRODUCTION, { ...env, FISCAL_DATA_DIR: join(folder, "first") });
      expect(first).toContain('"stage":"queued"');
      expect(first).not.toContain('"code":"');
    },
    120_000,
  );
});
