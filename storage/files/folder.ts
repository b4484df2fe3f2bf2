/** Creates folders, and small files that only their owner can read. Syncs them so that new names survive a power cut. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  fchmodSync,
  linkSync,
  mkdtempSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, explainSystemError, StorageError } from "../database/errors.ts";
import { keepFromOthers } from "./windows-access.ts";
import { randomBytes } from "node:crypto";

const OWNER_ONLY = 0o700;

/**
 * Creates `folder` (absolute) and its missing parents, for the owner only unless `mode` says otherwise. Throws the system's
 * error, whose `path` is the part that failed. One level at a time, because Node 24's own `recursive` never returns if the
 * system reports a part as missing although its parent exists, as /proc does; check before removing this.
 */
export function makePath(folder: string, mode = OWNER_ONLY): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makePath(parent, mode);
  try {
    mkdirSync(folder, { mode });
    if (process.platform === "win32" && mode === OWNER_ONLY) keepFromOthers(folder);
  } catch (error) {
    // Another process may have created it since.
    if (!isFolder(folder)) throw error;
  }
}

/** Creates the data directory; throws a StorageError that names the part of the path that failed. */
export function makeFolder(folder: string): void {
  try {
    makePath(folder);
  } catch (error) {
    const part = error instanceof Error && "path" in error ? String(error.path) : folder;
    const reason = explainSystemError(error);
    const text =
      codeOf(error) === "EEXIST" && exists(part)
        ? {
            en: `${part} is a file, where a folder is needed`,
            el: `Το ${part} είναι αρχείο, ενώ χρειάζεται φάκελος`,
          }
        : {
            en: `The folder ${part} cannot be made: ${reason.en}`,
            el: `Ο φάκελος ${part} δεν μπορεί να δημιουργηθεί: ${reason.el}`,
          };
    throw new StorageError(
      {
        en: `${text.en}; name another place`,
        el: `${text.el}· δώστε άλλη θέση`,
        next: { operation: "chooseDataFolder" },
      },
      { cause: error },
    );
  }
}

/** False also if the path cannot be looked at: the reason then shows when the folder is created. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** False for a dangling or circular link. */
function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Makes names that were created or moved in `folder` survive a power cut. */
export function syncFolder(folder: string): void {
  // Windows cannot open folders, and keeps names consistent by itself.
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

const FILE_MODE = 0o600;

/** Writes a file that only its owner can read, and syncs it. With `wx` it fails if the file exists. */
export function writePrivateFile(file: string, text: string, flags: "a" | "wx"): void {
  if (process.platform === "win32" && flags === "wx") return createInPrivateFolder(file, text);
  write(file, text, flags);
}

/** On Windows a file has the access list of its folder from the start, so the text is written in a folder that is closed before. */
function createInPrivateFolder(file: string, text: string): void {
  // Takes the name; nothing is ever written into this file.
  closeSync(openSync(file, "wx"));
  const folder = mkdtempSync(`${file}.`);
  try {
    keepFromOthers(folder);
    const draft = join(folder, "draft");
    write(draft, text, "wx");
    renameSync(draft, file);
  } catch (error) {
    unlinkSync(file);
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(file: string, text: string, flags: "a" | "wx"): void {
  const handle = openSync(file, flags, FILE_MODE);
  try {
    // Independent of the umask.
    fchmodSync(handle, FILE_MODE);
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export function findText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Replaces the content of `file` at once, so that readers never see a part of it. */
export function replacePrivateFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  // A killed process with the same id may have left a draft.
  rmSync(draft, { force: true });
  writePrivateFile(draft, text, "wx");
  renameSync(draft, file);
}

/**
 * Creates `file` with `text` unless it exists. A complete draft is linked to the name, so that two processes that do this at
 * once end with the same file, and readers never see a part of it.
 */
export function createPrivateFileOnce(file: string, text: string): void {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    writePrivateFile(draft, text, "wx");
    linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dirname(file));
}
