/** A user that is a number alone, without a name and a home: who runs the program in a container. */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const BIN = resolve(import.meta.dirname, "../../bin/fiscal.js");
const NOBODY = 54_321;

/** Only root becomes somebody else, and whoever that is may not be let into the folder of this repository. */
function canBecomeNobody(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  return (
    spawnSync(process.execPath, [BIN, "--version"], { uid: NOBODY, gid: NOBODY, env: { HOME: "/" } })
      .status === 0
  );
}

describe.skipIf(!canBecomeNobody())("a user without a home", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "fiscal-nobody-"));
    chownSync(folder, NOBODY, NOBODY);
    chmodSync(folder, 0o700);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function run(env: Record<string, string>, ...args: string[]) {
    const options = { uid: NOBODY, gid: NOBODY, cwd: folder, env, encoding: "utf8" } as const;
    return spawnSync(process.execPath, [BIN, ...args], options);
  }

  test("is told to name one, where something lies there", () => {
    const { status, stderr } = run({}, "merchants", "list");
    expect({ status, stderr }).toEqual({
      status: 78,
      stderr: expect.stringContaining("HOME names the folder"),
    });
  });

  test("works with the folder that HOME names", () => {
    expect(run({ HOME: folder }, "merchants", "list")).toMatchObject({ status: 0 });
  });

  test("is let in where nothing of it lies in a home", () => {
    expect(run({}, "--version")).toMatchObject({ status: 0, stderr: "" });
  });
});
