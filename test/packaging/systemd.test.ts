/** Checks the systemd unit with systemd's own tools. */
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { SETTINGS } from "../../src/config/settings.ts";
import { makeFolder } from "../helpers/folder.ts";

const UNIT = resolve(import.meta.dirname, "../../packaging/systemd/fiscal.service");
const unit = readFileSync(UNIT, "utf8");

/** Out of 10, which means no protection at all; `systemd-analyze security` rates up to 2 as OK. */
const EXPOSURE_MAX = 1.5;

function hasAnalyser(): boolean {
  try {
    return /^systemd (2[5-9]\d|[3-9]\d\d)/.test(execFileSync("systemd-analyze", ["--version"]).toString());
  } catch {
    return false;
  }
}

const settingsOf = (name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value]) => value ?? "");

describe.skipIf(!hasAnalyser())("systemd", () => {
  const analyse = (...args: string[]) => promisify(execFile)("systemd-analyze", args);

  test("accepts every line", async () => {
    const file = join(makeFolder(), "fiscal.service");
    // Neither the unit's program nor its manual is installed here.
    const text = unit.replace(/^ExecStart=\S+ \S+/m, `ExecStart=${process.execPath} ${import.meta.filename}`);
    writeFileSync(file, text.replace(/^Documentation=.*\n/m, ""));
    const { stdout, stderr } = await analyse("verify", file);
    expect(`${stdout}${stderr}`.split("\n").filter((line) => line.includes("fiscal.service"))).toEqual([]);
  });

  test("rates its sandboxing as OK", async () => {
    const { stdout } = await analyse("security", "--offline=true", UNIT);
    const exposure = Number(/exposure level for fiscal\.service: ([\d.]+)/.exec(stdout)?.[1]);
    expect(exposure).toBeLessThanOrEqual(EXPOSURE_MAX);
  });
});

describe("the unit", () => {
  test("waits longer than the server needs to stop, and does not restart after exit code 78", () => {
    expect(Number(settingsOf("TimeoutStopSec")[0])).toBeGreaterThan(
      Number(SETTINGS["server.shutdown_seconds"]?.default),
    );
    expect(settingsOf("RestartPreventExitStatus")).toEqual(["78"]);
  });

  test("uses existing settings", () => {
    const names = [...unit.matchAll(/\bFISCAL_([A-Z_]+)=/g)].map(([, name = ""]) =>
      name.toLowerCase().replaceAll("__", "."),
    );
    expect(names.sort()).toEqual(["data_dir", "security.master_key_file"]);
    for (const name of names) expect(Object.keys(SETTINGS)).toContain(name);
  });
});

test("fiscal-as-service runs a command with the service's data and master key, and passes on input, output and exit code", () => {
  const folder = makeFolder();
  // Stands in for systemd: ignores the unit's properties, and runs the command with a folder of credentials.
  const systemdRun = [
    "#!/bin/sh",
    'while [ "$1" != /bin/sh ]; do echo "$1" >> "$CREDENTIALS_DIRECTORY/arguments"; shift; done',
    'exec "$@"',
  ];
  writeFileSync(join(folder, "systemd-run"), `${systemdRun.join("\n")}\n`, { mode: 0o755 });
  const program = join(folder, "program.cjs");
  writeFileSync(
    program,
    `console.log(JSON.stringify([process.env.FISCAL_SECURITY__MASTER_KEY_FILE, ...process.argv.slice(2)]));
     process.stdin.pipe(process.stdout);
     process.exitCode = 5;`,
  );
  const run = spawnSync(
    join(import.meta.dirname, "../../packaging/systemd/fiscal-as-service"),
    ["documents", "issue", "-", "--merchant", "my shop"],
    {
      input: "a;b\n",
      encoding: "utf8",
      env: {
        PATH: `${folder}:${process.env["PATH"]}`,
        CREDENTIALS_DIRECTORY: folder,
        FISCAL_NODE: process.execPath,
        FISCAL_PROGRAM: program,
      },
    },
  );
  const given = [join(folder, "master.key"), "documents", "issue", "-", "--merchant", "my shop"];
  expect(run).toMatchObject({ status: 5, stdout: `${JSON.stringify(given)}\na;b\n`, stderr: "" });
  expect(readFileSync(join(folder, "arguments"), "utf8").split("\n")).toEqual(
    expect.arrayContaining([
      "--pipe",
      "--wait",
      "User=fiscal",
      "Environment=FISCAL_DATA_DIR=/var/lib/fiscal",
    ]),
  );
});
