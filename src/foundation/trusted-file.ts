/** Refuses configuration and code that other users could change, and reads the first line of a file with a secret. */
import { fstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, explainSystemError } from "../../storage/database/errors.ts";
import { ConfigurationError, orUnusable } from "./errors.ts";
import type { Text } from "./text.ts";

const WRITABLE_BY_OTHERS = 0o022;
/** In a folder with this bit, such as /tmp, users can replace only their own files. */
const STICKY = 0o1000;

/**
 * Throws ConfigurationError unless only root and the current user can change `path` (docs/contract.md#configuration-permissions).
 * Also checks its folder, whose writers could replace it. `name` says what the file is. Pass `descriptor` if the file is open, so
 * that the file that is checked is the one that is read.
 */
export function requireTrustedFile(path: string, name: Text, descriptor?: number): void {
  // Windows has no such permissions.
  if (process.geteuid === undefined) return;
  const user = process.geteuid();
  const stats = descriptor === undefined ? statSync(path) : fstatSync(descriptor);
  let problem = findProblem(path, stats, user);
  if (problem === undefined && stats.isFile()) {
    const folder = dirname(realpathSync(path));
    problem = findProblem(folder, statSync(folder), user);
  }
  if (problem === undefined) return;
  throw new ConfigurationError({
    en: `${name.en} is not safe to use, because other users can change it: ${problem.en}`,
    el: `${name.el} δεν είναι ασφαλές, γιατί μπορούν να το αλλάξουν άλλοι χρήστες: ${problem.el}`,
  });
}

function findProblem(path: string, stats: Stats, user: number): Text | undefined {
  const { uid, mode } = stats;
  if (uid !== 0 && uid !== user) {
    return {
      en: `${path} belongs to another user (uid ${uid}); run: chown ${user} ${path}`,
      el: `το ${path} ανήκει σε άλλον χρήστη (uid ${uid})· εκτελέστε: chown ${user} ${path}`,
    };
  }
  const isSticky = stats.isDirectory() && (mode & STICKY) !== 0;
  if ((mode & WRITABLE_BY_OTHERS) === 0 || isSticky) return undefined;
  return {
    en: `others have write access to ${path}; run: chmod go-w ${path}`,
    el: `άλλοι έχουν δικαίωμα εγγραφής στο ${path}· εκτελέστε: chmod go-w ${path}`,
  };
}

/** The first line of a file that a person named, called `name` in messages. Throws ConfigurationError, which never contains the content. */
export function readFirstLine(file: string, name: Text): string {
  return orUnusable(
    () => firstLineOf(readFileSync(file, "utf8")),
    (error) => {
      const { en, el } = explainUnreadable(error);
      return {
        en: `${name.en} ${file} cannot be read: ${en}`,
        el: `${name.el} ${file} δεν διαβάζεται: ${el}`,
      };
    },
  );
}

/** The reason why a file that a person named cannot be read. */
export function explainUnreadable(error: unknown): Text {
  return codeOf(error) === "ENOENT" ? NO_SUCH_FILE : explainSystemError(error);
}

const NO_SUCH_FILE: Text = { en: "there is no such file", el: "δεν υπάρχει τέτοιο αρχείο" };

/** Without the mark that Windows editors put at the start of a file. */
export function firstLineOf(text: string): string {
  return text.replace(/^\uFEFF/, "").split(/\r?\n/, 1)[0]!;
}
