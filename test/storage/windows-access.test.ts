/** Who may open files on Windows (docs/contract.md#access-on-windows), with fakes of Windows' own programs. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { checkWindowsAccess } from "../../src/upkeep/doctor/check-files.ts";
import { writePrivateFile } from "../../storage/files/folder.ts";
import { findOthers, keepFromOthers, othersIn } from "../../storage/files/windows-access.ts";
import { makeFolder } from "../helpers/folder.ts";
import { installWindowsPrograms, USER, type WindowsPrograms } from "../helpers/windows-programs.ts";

const OWN = `(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;${USER})`;

let folder: string;
let path: string;
let windows: WindowsPrograms;
beforeEach(() => {
  folder = makeFolder();
  path = join(folder, "Δεδομένα μου");
  mkdirSync(path);
  windows = installWindowsPrograms(folder);
  vi.stubEnv("SystemRoot", windows.root);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe("who else can read or replace a file", () => {
  test.each([
    ["a folder of the user's profile", `D:(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;${USER})`, []],
    ["a folder below C:\\", `D:AI${OWN}(A;OICIID;0x1200a9;;;BU)(A;ID;0x1301bf;;;AU)`, ["BU", "AU"]],
    ["generic rights for new files", `D:AI${OWN}(A;OICIIOID;SDGXGWGR;;;AU)`, ["AU"]],
    ["another account", `D:PAI${OWN}(A;;FR;;;S-1-5-21-11-22-33-1002)`, ["S-1-5-21-11-22-33-1002"]],
    ["a right to change the rights", `D:PAI${OWN}(A;;WD;;;BU)`, ["BU"]],
    ["the same group twice", `D:PAI${OWN}(A;;FR;;;BU)(A;;FW;;;BU)`, ["BU"]],
    ["a conditional entry", `D:PAI${OWN}(XA;;FR;;;WD;(@User.a == 1))`, ["WD"]],
    ["a disk without access lists", "D:NO_ACCESS_CONTROL", ["WD"]],
    ["traversal and attributes only", `D:PAI${OWN}(A;;0x1200a0;;;BU)(A;;RCFX;;;AU)`, []],
    ["refusals", `D:PAI(D;;FA;;;BG)${OWN}`, []],
    ["placeholders of owners, and sandboxes of programs", `D:PAI${OWN}(A;OICIIO;FA;;;CO)(A;;FR;;;AC)`, []],
    ["nobody at all", "D:P", []],
  ])("%s", (_name, list, others) => {
    expect(othersIn(list, USER)).toEqual(others);
  });

  test("is unknown if Windows does not tell", () => {
    expect(findOthers(path)).toBeUndefined();
    vi.stubEnv("SystemRoot", join(folder, "missing"));
    expect(findOthers(path)).toBeUndefined();
  });
});

describe("keeping others out", () => {
  test("leaves the user, SYSTEM and administrators, also for what is made in the folder later", () => {
    windows.allow(path, `D:AI${OWN}(A;OICIID;0x1301bf;;;AU)`);
    keepFromOthers(path);
    expect(windows.listOf(path)).toBe(
      `D:PAI(A;OICI;FA;;;S-1-5-18)(A;OICI;FA;;;S-1-5-32-544)(A;OICI;FA;;;${USER})`,
    );
    expect(findOthers(path)).toEqual([]);
  });

  test("gives a file no rights to inherit", () => {
    const file = join(path, "master.key");
    writeFileSync(file, "");
    windows.allow(file, "D:AI(A;ID;FA;;;BU)");
    keepFromOthers(file);
    expect(windows.listOf(file)).toBe(`D:PAI(A;;FA;;;S-1-5-18)(A;;FA;;;S-1-5-32-544)(A;;FA;;;${USER})`);
  });

  test("changes nothing if nobody else has access", () => {
    windows.allow(path, `D:AI${OWN}`);
    keepFromOthers(path);
    expect(windows.listOf(path)).toBe(`D:AI${OWN}`);
  });
});

describe("a private file", () => {
  const { platform } = process;
  beforeEach(() => void Object.defineProperty(process, "platform", { value: "win32" }));
  afterEach(() => void Object.defineProperty(process, "platform", { value: platform }));

  test("is written in a folder that is closed before, and takes its name only then", () => {
    const file = join(path, "master.key");
    writePrivateFile(file, "secret", "wx");
    expect(readdirSync(path)).toEqual(["master.key"]);
    expect(readFileSync(file, "utf8")).toBe("secret");
    expect(() => writePrivateFile(file, "another", "wx")).toThrow("EEXIST");
    expect(readFileSync(file, "utf8")).toBe("secret");
  });
});

describe("doctor", () => {
  const check = () => [...checkWindowsAccess(path, { en: "the database", el: "τη βάση" })];

  test("names who can read a file, with a command that both shells of Windows understand", () => {
    windows.allow(path, `D:AI${OWN}(A;ID;FR;;;BU)(A;ID;FR;;;S-1-5-21-11-22-33-1002)`);
    const [finding, ...more] = check();
    expect(more).toEqual([]);
    expect(finding?.severity).toBe("problem");
    expect(finding?.message.en).toBe(
      `Others can read or replace the database ${path}: the group Users, S-1-5-21-11-22-33-1002.`,
    );
    expect(finding?.message.el).toContain("η ομάδα Users (Χρήστες)");
    expect(finding?.next_step?.en).toContain(
      `icacls "${path}" /inheritance:r /grant:r "*S-1-5-18:(OI)(CI)F" "*S-1-5-32-544:(OI)(CI)F" "*${USER}:(OI)(CI)F"`,
    );
  });

  test("has a notice if Windows does not tell, and nothing if nobody else has access", () => {
    expect(check()).toMatchObject([
      { severity: "notice", message: { en: expect.stringContaining("exFAT") } },
    ]);
    windows.allow(path, `D:P${OWN}`);
    expect(check()).toEqual([]);
  });
});
