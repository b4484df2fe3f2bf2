/** Tests the program under a user id without a name and a home directory, as in containers. */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync } from "node:fs";
import { resolve } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { makeFolder } from "../helpers/folder.ts";

const BIN = resolve(import.meta.dirname, "../../bin/fiscal.js");
const NOBODY = 54_321;

/** Only root can change its user id, and the other user may not be allowed to read this repository. */
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
    folder = makeFolder();
    chownSync(folder, NOBODY, NOBODY);
    chmodSync(folder, 0o700);
  });

  function run(env: Record<string, string>, ...args: string[]) {
    const options = { uid: NOBODY, gid: NOBODY, cwd: folder, env, encoding: "utf8" } as const;
    return spawnSync(process.execPath, [BIN, ...args], options);
  }

  test("must name a home directory if a file there is needed", () => {
    const { status, stderr } = run({}, "merchants", "list");
    expect({ status, stderr }).toEqual({
      status: 78,
      stderr: expect.stringContaining("HOME names the folder"),
    });
  });

  test("can use the folder in HOME", () => {
    expect(run({ HOME: folder }, "init", "--yes")).toMatchObject({ status: 0 });
    expect(run({ HOME: folder }, "merchants", "list")).toMatchObject({ status: 0 });
  });

  test("can run the program if no file is in a home directory", () => {
    expect(run({}, "--help")).toMatchObject({ status: 0, stderr: "" });
  });
});
