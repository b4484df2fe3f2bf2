/** Checks the files around the database: permissions, file system, write-ahead log and free space. */
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import {
  classifySpace,
  findNetworkFileSystem,
  formatBytes,
  MEGABYTE,
} from "../../journal/disk/file-system.ts";
import { type Check, type CheckInput, type Found, notice, ok, problem } from "./doctor-finding.ts";
import { findOthers, privateAccess } from "../../../storage/files/windows-access.ts";
import { sameInBoth, type Text } from "../../foundation/text.ts";

const DATABASE = { en: "the database", el: "τη βάση" };
const DATA_DIRECTORY = { en: "the data directory", el: "τον φάκελο δεδομένων" };

/** The file of `config.storage.database` must exist. */
export const filesCheck: Check<CheckInput> = {
  name: "files",
  *find({ config }) {
    for (const check of [checkPermissions, checkFolder, checkWriting, checkFileSystem])
      yield* check(config.storage.database);
  },
  ok: ({ config: { storage } }) => ({
    en: `The database ${storage.database} is on a local disk and only its owner may open it.`,
    el: `Η βάση ${storage.database} είναι σε τοπικό δίσκο και μόνο για τον κάτοχό της.`,
  }),
};

function* checkPermissions(database: string): Generator<Found> {
  if (process.platform === "win32") return yield* checkWindowsAccess(database, DATABASE);
  const open = [database, `${database}-wal`, `${database}-shm`].filter(
    (file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0,
  );
  if (open.length === 0) return;
  const message = {
    en: `Other users may open ${open.join(", ")}, which contains customers' data.`,
    el: `Άλλοι εκτός από τον κάτοχο μπορούν να ανοίξουν το ${open.join(", ")}: περιέχει δεδομένα πελατών.`,
  };
  yield problem(message, `chmod 600 ${open.join(" ")}`);
}

/** Whoever can write to the folder can replace the database and the key in it. */
function* checkFolder(database: string): Generator<Found> {
  const folder = dirname(database);
  if (process.platform === "win32") return yield* checkWindowsAccess(folder, DATA_DIRECTORY);
  const { mode, uid } = statSync(folder);
  const owner = statSync(database).uid;
  if ((mode & 0o022) === 0 && (uid === 0 || uid === owner)) return;
  const message = {
    en: `Other users may write to the data directory ${folder}, and so replace the database.`,
    el: `Άλλοι εκτός από τον κάτοχο μπορούν να γράψουν στον φάκελο δεδομένων ${folder}, άρα και να αντικαταστήσουν τη βάση.`,
  };
  yield problem(message, `chown ${owner} ${folder} && chmod 700 ${folder}`);
}

/** Checks as the user who runs the doctor, who should be the one that runs the server. */
function* checkWriting(database: string): Generator<Found> {
  const folder = dirname(database);
  const closed = [database, `${database}-wal`, `${database}-shm`].filter(
    (file) => existsSync(file) && !isAllowed(file, constants.W_OK),
  );
  if (!isAllowed(folder, constants.W_OK | constants.X_OK)) closed.push(folder);
  if (closed.length === 0) return;
  const message = {
    en: `Nothing can be written to ${closed.join(", ")}.`,
    el: `Δεν είναι δυνατή η εγγραφή σε: ${closed.join(", ")}.`,
  };
  const [en, el] = ["run this as the user who owns it", "εκτελέστε το ως ο χρήστης στον οποίο ανήκει"];
  const orAllow = `chmod u+w ${closed.join(" ")}`;
  const next =
    process.platform === "win32" ? { en, el } : { en: `${en}, or: ${orAllow}`, el: `${el}, ή: ${orAllow}` };
  yield problem(message, next);
}

export function isAllowed(path: string, access: number): boolean {
  try {
    accessSync(path, access);
    return true;
  } catch {
    return false;
  }
}

function* checkFileSystem(database: string): Generator<Found> {
  const type = findNetworkFileSystem(database);
  if (type === undefined) return;
  const message = {
    en: `The database is on a network file system (${type}), where SQLite's locks do not work.`,
    el: `Η βάση είναι σε σύστημα αρχείων δικτύου (${type}), όπου τα κλειδώματα του SQLite δεν ισχύουν.`,
  };
  const next = {
    en: "stop the server, and move the data directory to a local disk",
    el: "σταματήστε τον διακομιστή και μεταφέρετε τον φάκελο δεδομένων σε τοπικό δίσκο",
  };
  yield problem(message, next);
}

export const diskCheck: Check<CheckInput> = {
  name: "disk",
  *find({ config: { storage } }) {
    const { database, minFreeMb } = storage;
    const { bavail, bsize } = statfsSync(dirname(database));
    const freeBytes = bavail * bsize;
    const usedBytes = sizeOf(database) + sizeOf(`${database}-wal`);
    const level = classifySpace({ freeBytes, usedBytes, minFreeBytes: minFreeMb * MEGABYTE });
    const { severity, en, el } = SPACE[level];
    const [free, used] = [formatBytes(freeBytes), formatBytes(usedBytes)];
    const message = {
      en: `${en}: ${free} are free; the database uses ${used}.`,
      el: `${el}: ελεύθερα ${free}· η βάση καταλαμβάνει ${used}.`,
    };
    const next = {
      en: `make room on the disk of ${dirname(database)}`,
      el: `ελευθερώστε χώρο στον δίσκο του ${dirname(database)}`,
    };
    yield severity(message, level === "ample" ? undefined : next);
  },
};

const SPACE = {
  full: { severity: problem, en: "The disk is nearly full", el: "Ο δίσκος είναι σχεδόν γεμάτος" },
  tight: {
    severity: notice,
    en: "A copy of the database would not fit",
    el: "Ένα αντίγραφο της βάσης δεν θα χωρούσε",
  },
  ample: { severity: ok, en: "There is room", el: "Υπάρχει χώρος" },
};

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Groups that Windows abbreviates in access lists. Accounts are shown with their ids. */
const GROUPS: Readonly<Record<string, Text>> = {
  WD: { en: "everybody", el: "όλοι" },
  BU: { en: "the group Users", el: "η ομάδα Users (Χρήστες)" },
  AU: { en: "everybody with an account", el: "όποιος έχει λογαριασμό" },
  IU: { en: "everybody who signs in here", el: "όποιος συνδέεται εδώ" },
  BG: { en: "guests", el: "οι επισκέπτες" },
};

/** `name` says what `path` is, with its article. */
export function* checkWindowsAccess(path: string, name: Text): Generator<Found> {
  const others = findOthers(path);
  if (others === undefined) yield notice(unknownAccess(path, name), LOOK);
  if (others === undefined || others.length === 0) return;
  const who = others.map((account) => GROUPS[account] ?? sameInBoth(account));
  const [en, el] = [who.map((group) => group.en).join(", "), who.map((group) => group.el).join(", ")];
  const message = {
    en: `Others can read or replace ${name.en} ${path}: ${en}.`,
    el: `Μπορούν και άλλοι να διαβάσουν ή να αντικαταστήσουν ${name.el} ${path}: ${el}.`,
  };
  yield problem(message, closing(path));
}

function unknownAccess(path: string, name: Text): Text {
  return {
    en: `Windows does not say who can read ${name.en} ${path}: disks formatted as FAT or exFAT have no permissions.`,
    el: `Τα Windows δεν λένε ποιος μπορεί να διαβάσει ${name.el} ${path}: οι δίσκοι FAT και exFAT δεν έχουν δικαιώματα.`,
  };
}

const LOOK: Text = {
  en: "look at Security in the Properties of the folder; keep the data directory on an NTFS disk",
  el: "δείτε στις Ιδιότητες του φακέλου την καρτέλα Ασφάλεια· κρατήστε τον φάκελο δεδομένων σε δίσκο NTFS",
};

/** Entries that were added by hand remain: icacls cannot remove accounts that it is not told by name. */
function closing(path: string): Text {
  const [, ...flags] = privateAccess(path);
  const words = flags.map((flag) => (flag.startsWith("/") ? flag : `"${flag}"`));
  const command = ["icacls", `"${path}"`, ...words].join(" ");
  return {
    en: `${command} and, if they are still found, remove them at Security in its Properties`,
    el: `${command} και, αν εμφανίζονται ακόμη, αφαιρέστε τους από τις Ιδιότητες, καρτέλα Ασφάλεια`,
  };
}
