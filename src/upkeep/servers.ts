/**
 * Records which servers run on a database. Several may (docs/contract.md#issuing). Each has its own lock file next to the
 * database, which the system unlocks however the process ends, and a note for people.
 */
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import * as v from "valibot";
import { isServeLocked, takeServeLock } from "../../storage/sqlite/file-use.ts";
import { readJson } from "../foundation/json.ts";

const NoteSchema = v.object({
  pid: v.number(),
  /** When the server started; a UTC instant. */
  since: v.string(),
  /** Null until the server listens. */
  url: v.nullable(v.string()),
});

export type ServingNote = v.InferOutput<typeof NoteSchema>;

/** An unlocked file of this age belongs to a server that was killed. A newer one may be about to be locked. */
const STALE_MS = 60_000;
const ID = /^[0-9a-f]{12}$/;

/** Resolves links, so that all names of a database lead to the same lock files. */
function lockFilesOf(database: string): { folder: string; prefix: string } {
  const real = existsSync(database) ? realpathSync(database) : database;
  return { folder: dirname(real), prefix: `${basename(real)}-serve-` };
}

function noteFileOf(lockFile: string): string {
  return `${lockFile}.json`;
}

/** Records that this server runs on `database` until it is released. The path is absolute, and its folder exists. */
export function recordServing(database: string, since: string) {
  removeStale(database);
  const { folder, prefix } = lockFilesOf(database);
  const file = join(folder, prefix + randomBytes(6).toString("hex"));
  // Created before SQLite does, readable only by its owner, so that nobody else can hold its lock.
  writeFileSync(file, "", { mode: 0o600 });
  const lock = takeServeLock(file);
  const note = { pid: process.pid, since };
  writeNote(file, { ...note, url: null });
  return {
    noteUrl: (url: string) => writeNote(file, { ...note, url }),
    release(): void {
      lock.release();
      rmSync(noteFileOf(file), { force: true });
      rmSync(file, { force: true });
    },
  };
}

/** The note is only for people, so a full disk is no error. */
function writeNote(lockFile: string, note: ServingNote): void {
  try {
    writeFileSync(noteFileOf(lockFile), `${JSON.stringify(note)}\n`, { mode: 0o600 });
  } catch {
    rmSync(noteFileOf(lockFile), { force: true });
  }
}

function removeStale(database: string): void {
  for (const file of listLockFiles(database)) {
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs === undefined || Date.now() - mtimeMs < STALE_MS || isServeLocked(file)) continue;
    rmSync(noteFileOf(file), { force: true });
    rmSync(file, { force: true });
  }
}

function listLockFiles(database: string): string[] {
  const { folder, prefix } = lockFilesOf(database);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && ID.test(name.slice(prefix.length)))
    .map((name) => join(folder, name));
}

function noteOf(lockFile: string): ServingNote | null {
  try {
    const read = v.safeParse(NoteSchema, readJson<unknown>(readFileSync(noteFileOf(lockFile), "utf8")));
    return read.success ? read.output : null;
  } catch {
    return null;
  }
}

/**
 * Returns the servers on this machine that run on `database`, an absolute path. A server that could not write its note is null.
 * Changes nothing.
 */
export function findServers(database: string): (ServingNote | null)[] {
  return listLockFiles(database)
    .filter((file) => existsSync(file) && isServeLocked(file))
    .map(noteOf);
}
