/**
 * Which server works on a database. Rate limits, pauses of providers and schedules are kept in its process, so that there
 * is one at a time; commands work beside it.
 */
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import * as v from "valibot";
import { isServeLocked, takeServeLock } from "../../storage/serve-lock.ts";
import { ConfigurationError } from "../errors.ts";
import { readJson } from "../json.ts";

const NoteSchema = v.object({
  pid: v.number(),
  /** The instant at which it began. */
  since: v.string(),
  /** Null until it listens. */
  url: v.nullable(v.string()),
});

/** What a server left word of; empty where it could not, on a full disk. */
export type ServingNote = v.InferOutput<typeof NoteSchema>;

export interface Serving {
  /** Leaves word of where the server listens. */
  listensAt(url: string): void;
  /** Lets another server begin. */
  release(): void;
}

function lockFileOf(database: string): string {
  return `${realPathOf(database)}-serve`;
}

function noteFileOf(database: string): string {
  return `${lockFileOf(database)}.json`;
}

/** By whatever links the file is named, it is one database. */
function realPathOf(database: string): string {
  return existsSync(database) ? realpathSync(database) : database;
}

/** Holds `database` (absolute path) for this server. Throws ConfigurationError that tells of the server that has it. */
export function holdServing(database: string, since: string): Serving {
  const lock = takeServeLock(lockFileOf(database));
  if (lock === undefined) throw new ConfigurationError(describeOther(database));
  const note = { pid: process.pid, since };
  const file = noteFileOf(database);
  leaveNote(file, { ...note, url: null });
  return {
    listensAt: (url) => leaveNote(file, { ...note, url }),
    release() {
      rmSync(file, { force: true });
      lock.release();
    },
  };
}

function describeOther(database: string): string {
  const other = noteOf(database);
  const who = other === undefined ? "" : `: process ${other.pid} since ${other.since}${placeOf(other)}`;
  return `Another server works on the database ${database}${who}; stop it first, or give this one another --data-dir`;
}

function placeOf({ url }: ServingNote): string {
  return url === null ? "" : `, at ${url}`;
}

/** The note is for people: a disk that has no room for it keeps no server from its work. */
function leaveNote(file: string, note: ServingNote): void {
  try {
    writeFileSync(file, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  } catch {
    rmSync(file, { force: true });
  }
}

function noteOf(database: string): ServingNote | undefined {
  try {
    const read = v.safeParse(NoteSchema, readJson<unknown>(readFileSync(noteFileOf(database), "utf8")));
    return read.success ? read.output : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a server works on `database` (absolute path), in this process or another on this machine. Changes nothing. */
export function isServing(database: string): boolean {
  const file = lockFileOf(database);
  return existsSync(file) && isServeLocked(file);
}

/** What the server that works on `database` left word of; undefined where none works, or it could leave none. */
export function findServingNote(database: string): ServingNote | undefined {
  return isServing(database) ? noteOf(database) : undefined;
}
