/** Checks that the notes about an event explain what it is now, and nothing that may not happen to it. */
import type { AuditKey } from "../../../storage/journal/audit-key.ts";
import {
  type ChainedEvent,
  digestRemovable,
  type EventNoteRow,
} from "../../../storage/journal/event-chain.ts";
import { msOfIdBody } from "../../../storage/database/ids.ts";
import type { Text } from "../../foundation/text.ts";

/** Describes what is wrong with an event that still exists, given its notes, oldest first. */
export function findNoteProblems(key: AuditKey, event: ChainedEvent, notes: readonly EventNoteRow[]): Text[] {
  if (notes.length === 0) return [];
  const now = digestRemovable(key, event);
  const has = (kind: EventNoteRow["kind"]) => notes.some((note) => note.kind === kind);
  const found: Text[] = [];
  if (has("forgotten")) found.push(STILL_EXISTS);
  if ((has("object_words") && now.object !== null) || (has("previous_words") && now.previous !== null))
    found.push(STILL_HAS_WORDS);
  if (!isReplacedAsNoted(notes, now.request)) found.push(OTHER_REQUEST);
  return found;
}

/** Whether each replacement of the request continues from the one before, and the last is what the event has now. */
function isReplacedAsNoted(notes: readonly EventNoteRow[], now: Uint8Array | null): boolean {
  const replacements = notes.filter(({ kind }) => kind === "request");
  return replacements.every(({ digest_after: left }, index) => {
    const next = index === replacements.length - 1 ? now : replacements[index + 1]!.digest;
    return left !== null && next !== null && isSame(left, next);
  });
}

/** Describes what is wrong with the deletion of an event, given the last note about it. */
export function findDeletionProblem(eventId: string, last: EventNoteRow): Text | undefined {
  if (last.kind !== "forgotten") return NOT_FORGOTTEN;
  return msOfEvent(last.id) - msOfEvent(eventId) < FORGOTTEN_AFTER_MS ? FORGOTTEN_TOO_SOON : undefined;
}

/** Retention deletes no event before its idempotency key may be deleted (docs/contract.md#idempotency-records). */
const FORGOTTEN_AFTER_MS = 90 * 86_400_000;

/** Returns the time at which the event or note with this id was written. */
export function msOfEvent(id: string): number {
  return msOfIdBody(id.slice("evt_".length));
}

export function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}

const STILL_EXISTS: Text = {
  en: "still exists, although a note says that it was forgotten",
  el: "υπάρχει ακόμη, αν και μια σημείωση λέει ότι διαγράφηκε",
};
const STILL_HAS_WORDS: Text = {
  en: "still contains a provider's words, although a note says that they were removed",
  el: "περιέχει ακόμη λόγια ενός παρόχου, αν και μια σημείωση λέει ότι αφαιρέθηκαν",
};
const OTHER_REQUEST: Text = {
  en: "has another request id or idempotency key than its notes say",
  el: "έχει άλλο id αιτήματος ή άλλο κλειδί idempotency από αυτό που λένε οι σημειώσεις του",
};
const NOT_FORGOTTEN: Text = {
  en: "is gone, and no note says that it was forgotten",
  el: "λείπει και καμία σημείωση δεν λέει ότι διαγράφηκε",
};
const FORGOTTEN_TOO_SOON: Text = {
  en: "was forgotten sooner than any retention setting allows",
  el: "διαγράφηκε νωρίτερα απ' όσο επιτρέπει οποιαδήποτε ρύθμιση διατήρησης",
};
