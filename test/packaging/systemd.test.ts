/** Checks the systemd unit with systemd's own tools. */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { SETTINGS } from "../../src/config/settings.ts";

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
  const folder = mkdtempSync(join(tmpdir(), "fiscal-unit-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const analyse = (...args: string[]) => promisify(execFile)("systemd-analyze", args);

  test("accepts every line", async () => {
    const file = join(folder, "fiscal.service");
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
