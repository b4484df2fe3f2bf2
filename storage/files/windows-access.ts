/**
 * Reads and sets who may open files and folders on Windows, where mode bits mean nothing: access lists decide, read and written with the
 * system's own programs. Both functions work on Windows only.
 */
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Ids of accounts, as Windows writes them (docs/contract.md#access-on-windows). */
const SYSTEM = "S-1-5-18";
const ADMINISTRATORS = "S-1-5-32-544";

/** Short names in access lists of those who may always do everything, and of whoever owns or creates a file. */
const TRUSTED: ReadonlySet<string> = new Set(["SY", SYSTEM, "BA", ADMINISTRATORS, "LA", "CO", "OW"]);
/** Sandboxes of programs: they limit what a user may do, and are no users. */
const SANDBOX = /^(AC|S-1-15-.*)$/;
/** An entry of an access list: `(type;flags;rights;object;inherited object;account)`. `A` and `XA` allow. */
const ALLOWED = /\(X?A;[^;]*;([^;]*);[^;]*;[^;]*;([^;)]+)/g;

/** Names of rights with which somebody can read or replace contents, or give himself the right to. */
const TELLING_NAMES: ReadonlySet<string> = new Set([
  "GA",
  "GR",
  "GW",
  "FA",
  "FR",
  "FW",
  "CC",
  "DC",
  "LC",
  "DT",
  "SD",
  "WD",
  "WO",
]);
const TELLING_BITS = 0xd00d0047;

/** Without an access list everybody may do everything. */
const EVERYBODY = "WD";

/**
 * Returns the accounts, besides this user, SYSTEM and administrators, that can read or replace `path` according to its access
 * list: short names such as `BU` (users), or ids such as `S-1-5-21-…`. Undefined if Windows does not answer.
 */
export function findOthers(path: string): string[] | undefined {
  const user = findUser();
  const list = readAccessList(path);
  return user === undefined || list === undefined ? undefined : othersIn(list, user);
}

/** As `findOthers`, for an access list such as `D:AI(A;OICI;FA;;;SY)` and the id of this user. */
export function othersIn(list: string, user: string): string[] {
  if (list.includes("NO_ACCESS_CONTROL")) return [EVERYBODY];
  const accounts = [...list.matchAll(ALLOWED)]
    .filter(([, rights = ""]) => isTelling(rights))
    .map(([, , account = ""]) => account);
  return [...new Set(accounts)].filter(
    (account) => account !== user && !TRUSTED.has(account) && !SANDBOX.test(account),
  );
}

/** Rights are a number such as `0x1301bf`, or names of two letters each. */
function isTelling(rights: string): boolean {
  if (rights.startsWith("0x")) return (Number(rights) & TELLING_BITS) !== 0;
  return (rights.match(/../g) ?? []).some((name) => TELLING_NAMES.has(name));
}

/**
 * Leaves only this user, SYSTEM and administrators access to `path`, if others have it. On a disk without access lists nothing
 * changes, and `fiscal doctor` says so.
 */
export function keepFromOthers(path: string): void {
  const others = findOthers(path);
  if (others === undefined || others.length === 0) return;
  runSystemProgram("icacls", privateAccess(path));
}

/** The arguments of icacls that leave only this user, SYSTEM and administrators access. New files in a folder inherit this. */
export function privateAccess(path: string): string[] {
  const rights = statSync(path).isDirectory() ? "(OI)(CI)F" : "F";
  const accounts = [SYSTEM, ADMINISTRATORS, findUser()].filter((account) => account !== undefined);
  return [path, "/inheritance:r", "/grant:r", ...accounts.map((account) => `*${account}:${rights}`)];
}

/** The id of this user. Undefined if Windows does not answer, like Wine. */
function findUser(): string | undefined {
  return /S-1-[\d-]+/.exec(runSystemProgram("whoami", ["/user", "/fo", "csv", "/nh"]) ?? "")?.[0];
}

/** From the file that icacls saves, because what it prints is in the language and the code page of the console. */
function readAccessList(path: string): string | undefined {
  const saved = join(tmpdir(), `fiscal-access-${randomUUID()}`);
  try {
    runSystemProgram("icacls", [path, "/save", saved]);
    return /^D:(?!\\).*$/m.exec(readFileSync(saved, "utf16le"))?.[0];
  } catch {
    return undefined;
  } finally {
    rmSync(saved, { force: true });
  }
}

/** Returns what the program prints; undefined if it fails or is missing. By its full path, so that no other one is run. */
function runSystemProgram(name: string, args: readonly string[]): string | undefined {
  const program = join(process.env["SystemRoot"] ?? "C:\\Windows", "System32", `${name}.exe`);
  // Loaded only here, because every start would pay for it.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status, stdout } = spawnSync(program, args, { encoding: "latin1", windowsHide: true });
  return status === 0 ? stdout : undefined;
}
