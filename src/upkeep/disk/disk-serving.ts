/**
 * Which servers work on a database. Several may (decisions 16): each holds a lock of its own beside the database, which the
 * system lets go of when its process ends, however it ends, and leaves word of itself for people.
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
import { isServeLocked, takeServeLock } from "../../../storage/serve-lock.ts";
import { readJson } from "../../foundation/json.ts";

const NoteSchema = v.object({
  pid: v.number(),
  /** The instant at which it began. */
  since: v.string(),
  /** Null until it listens. */
  url: v.nullable(v.string()),
});

/** What a server left word of. */
export type ServingNote = v.InferOutput<typeof NoteSchema>;

export interface Serving {
  /** Leaves word of where the server listens. */
  listensAt(url: string): void;
  release(): void;
}

/** A file that was made this long ago and is not locked is of a server that was killed; a newer one may be about to be. */
const STALE_MS = 60_000;
const ID = /^[0-9a-f]{12}$/;

/** By whatever links the database is named, it is one. */
function lockFilesOf(database: string): { folder: string; prefix: string } {
  const real = existsSync(database) ? realpathSync(database) : database;
  return { folder: dirname(real), prefix: `${basename(real)}-serve-` };
}

function noteFileOf(lockFile: string): string {
  return `${lockFile}.json`;
}

/** Tells that this server works on `database` (absolute path; its folder is there), until it is released. */
export function holdServing(database: string, since: string): Serving {
  removeStale(database);
  const { folder, prefix } = lockFilesOf(database);
  const file = join(folder, prefix + randomBytes(6).toString("hex"));
  // Before SQLite makes it: for its owner only, so that nobody else holds its lock.
  writeFileSync(file, "", { mode: 0o600 });
  const lock = takeServeLock(file);
  const note = { pid: process.pid, since };
  leaveNote(file, { ...note, url: null });
  return {
    listensAt: (url) => leaveNote(file, { ...note, url }),
    release() {
      lock.release();
      rmSync(noteFileOf(file), { force: true });
      rmSync(file, { force: true });
    },
  };
}

/** The note is for people: a disk that has no room for it keeps no server from its work. */
function leaveNote(lockFile: string, note: ServingNote): void {
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
 * The servers that work on `database` (absolute path), in processes of this machine; null for one that could leave no word of
 * itself, on a full disk. Changes nothing.
 */
export function findServers(database: string): (ServingNote | null)[] {
  return listLockFiles(database)
    .filter((file) => existsSync(file) && isServeLocked(file))
    .map(noteOf);
}
