/** Checks on Windows, where mode bits mean nothing, who besides this user can read or replace a file or a folder. */
import { findOthers, privateAccess } from "../../../storage/files/windows-access.ts";
import { sameInBoth, type Text } from "../../foundation/text.ts";
import { type Found, notice, problem } from "./doctor-finding.ts";

/** Groups that Windows abbreviates in access lists. Accounts are shown with their ids. */
const GROUPS: Readonly<Record<string, Text>> = {
  WD: { en: "everybody", el: "όλοι" },
  BU: { en: "the group Users", el: "η ομάδα Users (Χρήστες)" },
  AU: { en: "everybody with an account", el: "όποιος έχει λογαριασμό" },
  IU: { en: "everybody who signs in here", el: "όποιος συνδέεται εδώ" },
  BG: { en: "guests", el: "οι επισκέπτες" },
};

/** `name` says what `path` is, with its article. */
export function checkWindowsAccess(path: string, name: Text): Found[] {
  const others = findOthers(path);
  if (others === undefined) return [notice(unknownAccess(path, name), LOOK)];
  if (others.length === 0) return [];
  const who = others.map((account) => GROUPS[account] ?? sameInBoth(account));
  const [en, el] = [who.map((group) => group.en).join(", "), who.map((group) => group.el).join(", ")];
  const message = {
    en: `Others can read or replace ${name.en} ${path}: ${en}.`,
    el: `Μπορούν και άλλοι να διαβάσουν ή να αντικαταστήσουν ${name.el} ${path}: ${el}.`,
  };
  return [problem(message, closing(path))];
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
