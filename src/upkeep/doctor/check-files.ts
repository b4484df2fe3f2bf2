/** The files around the database: who may read them, where they lie, and whether there is room. */
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { formatBytes, judgeSpace, MEGABYTE } from "../../journal/disk/file-system.ts";
import { findNetworkFileSystem } from "../../journal/disk/prepare-folder.ts";
import { type Finding, findingsOf, orOk, type Patient } from "./doctor-finding.ts";

const files = findingsOf("files");
const disk = findingsOf("disk");

/** A log that is folded in every thousand pages stays at some megabytes; a reader that never ends lets it grow. */
const WAL_BYTES_MAX = 256 * MEGABYTE;

/** `config.storage.database` is there. */
export function checkFiles({ config }: Patient): Finding[] {
  const { database } = config.storage;
  const findings = [
    ...judgeModes(database),
    ...judgeWriting(database),
    ...judgePlace(database),
    ...judgeLog(database),
  ];
  return orOk(findings, files.ok(`The database ${database} is on a local disk and for its owner only.`));
}

function judgeModes(database: string): Finding[] {
  // Windows has other means, and tells no modes.
  if (process.platform === "win32") return [];
  const open = [database, `${database}-wal`, `${database}-shm`].filter(
    (file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0,
  );
  if (open.length === 0) return [];
  return [
    files.problem(`Others than its owner may open ${open.join(", ")}: it holds customers' data.`, {
      next: `chmod 600 ${open.join(" ")}`,
    }),
  ];
}

/** As whoever asks, who is the one that the server runs as, or should be. */
function judgeWriting(database: string): Finding[] {
  const folder = dirname(database);
  const closed = [database, `${database}-wal`, `${database}-shm`].filter(
    (file) => existsSync(file) && !mayDo(file, constants.W_OK),
  );
  if (!mayDo(folder, constants.W_OK | constants.X_OK)) closed.push(folder);
  if (closed.length === 0) return [];
  return [
    files.problem(`Nothing can be written to ${closed.join(", ")}.`, {
      next: `run this as the user whose it is, or: chmod u+w ${closed.join(" ")}`,
    }),
  ];
}

function mayDo(path: string, what: number): boolean {
  try {
    accessSync(path, what);
    return true;
  } catch {
    return false;
  }
}

function judgePlace(database: string): Finding[] {
  const type = findNetworkFileSystem(database);
  if (type === undefined) return [];
  return [
    files.problem(`The database is on a network file system (${type}), where SQLite's locks do not hold.`, {
      next: "stop the server, and move the data directory to a local disk",
    }),
  ];
}

function judgeLog(database: string): Finding[] {
  const bytes = sizeOf(`${database}-wal`);
  if (bytes <= WAL_BYTES_MAX) return [];
  return [
    files.notice(
      `The write-ahead log has grown to ${formatBytes(bytes)}: something that reads holds it up.`,
      {
        next: "end other programs that have the database open, or restart the server",
      },
    ),
  ];
}

export function checkDisk({ config }: Patient): Finding[] {
  const { database, minFreeMb } = config.storage;
  const { bavail, bsize } = statfsSync(dirname(database));
  const freeBytes = bavail * bsize;
  const usedBytes = sizeOf(database) + sizeOf(`${database}-wal`);
  const room = `${formatBytes(freeBytes)} are free beside a database of ${formatBytes(usedBytes)}`;
  const next = `make room on the disk of ${dirname(database)}`;
  switch (judgeSpace({ freeBytes, usedBytes, minFreeBytes: minFreeMb * MEGABYTE })) {
    case "full":
      return [disk.problem(`The disk is nearly full: ${room}.`, { next })];
    case "tight":
      return [disk.notice(`A copy of the database would not fit: ${room}.`, { next })];
    case "ample":
      return [disk.ok(`There is room: ${room}.`)];
  }
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}
