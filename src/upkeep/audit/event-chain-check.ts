/**
 * Verifies the keyed chain of events, link by link. It reads three sequences in parallel: events, notes, and notes in the order
 * of their events. A deleted event thus has its place and its digest from its note. After a broken row, verification continues
 * from that row's own link, so that only the broken rows are reported and not all after them.
 */
import { instantText } from "../../foundation/clock.ts";
import type { AuditKey } from "../../../storage/encryption/key-ring.ts";
import {
  CHAIN_START,
  type ChainHead,
  digestOfEvent,
  digestOfNote,
  type EventNoteRow,
  hexOf,
  linkAfter,
  authenticateEnd,
  type ChainedEvent,
  digestRemovable,
} from "../../../storage/journal/event-chain.ts";
import { findEventsAfter, findNotesByEvent, findNotesAfter } from "../../../storage/journal/audit.ts";
import { originalDigests } from "../../../storage/journal/event-notes.ts";
import type { ApplianceRow } from "../../../storage/upkeep/appliance-state.ts";
import type { EventRow } from "../../../storage/journal/events.ts";
import type { Session } from "../../../storage/database/session.ts";
import { type AuditListener, type NotedLink, sentence } from "./audit-finding.ts";
import { everyPortion, itemsOf } from "../../foundation/pages.ts";
import type { Text } from "../../foundation/text.ts";
import { msOfIdBody } from "../../../storage/database/ids.ts";

export type ChainReport = Awaited<ReturnType<typeof auditChain>>;

/** `against` are links that were noted elsewhere, and must still be in the journal. */
export async function auditChain(
  session: Session,
  { key, end }: { key: AuditKey; end: ApplianceRow },
  listener: AuditListener,
  against: readonly NotedLink[],
) {
  const report = {
    events: 0,
    /** Events that retention deleted, according to their notes. */
    forgotten: 0,
    /** Events from which a provider's words were removed, or whose request was replaced. */
    redacted: 0,
  };
  /** The digests of noted links that are not yet found, by their ids. */
  const noted = new Map(against.map(({ id, hash }) => [id, hash]));
  let head: ChainHead = CHAIN_START;

  function reportProblem(id: string | null, what: Text): void {
    const message =
      id === null ? { en: `Nothing ${what.en}.`, el: `Τίποτα δεν ${what.el}.` } : sentence(id, what);
    listener.problem({ check: "journal", id, message });
  }

  function moveTo(next: ChainHead): void {
    head = next;
    const hash = noted.get(head.id);
    noted.delete(head.id);
    if (hash !== undefined && hash !== hexOf(head.link)) reportProblem(head.id, OTHER_LINK);
  }

  /** The link of the row must follow from the previous link and its own digest. */
  function advanceTo({ id, chain, document_id }: ChainedRow, digest: Uint8Array): void {
    if (!isSame(linkAfter(key, head.link, digest, document_id), chain)) {
      reportProblem(id, {
        en: `does not follow from ${head.id === "" ? "the beginning" : head.id}: it was changed or moved, or something between them was removed or inserted`,
        el: `δεν ακολουθεί ${head.id === "" ? "την αρχή" : `το ${head.id}`}: άλλαξε ή μετακινήθηκε, ή κάτι ανάμεσά τους αφαιρέθηκε ή προστέθηκε`,
      });
    }
    moveTo({ id, link: chain });
  }

  function checkEvent(event: EventRow, history: readonly EventNoteRow[]): void {
    report.events += 1;
    if (history.length > 0) report.redacted += 1;
    advanceTo(event, digestOfEvent(key, event, originalDigests(key, event, history)));
    for (const what of findNoteProblems(key, event, history)) reportProblem(event.id, what);
  }

  /** Checks an event of which only notes are left. Only an event without a document may be forgotten. */
  function checkDeleted(id: string, history: readonly EventNoteRow[]): void {
    const last = history.at(-1);
    // The id is that of a note.
    if (last === undefined) return;
    report.forgotten += 1;
    moveTo({ id, link: linkAfter(key, head.link, last.digest, null) });
    const what = findDeletionProblem(id, last);
    if (what !== undefined) reportProblem(id, what);
  }

  function checkEnd(): void {
    const recorded: ChainHead = { id: end.chain_id, link: end.chain };
    if (head.id !== recorded.id || !isSame(head.link, recorded.link)) {
      const isEmpty = head.id === "";
      reportProblem(recorded.id === "" ? null : recorded.id, {
        en: `is noted as the end of the journal, which ${isEmpty ? "is empty" : `ends with ${head.id}`}`,
        el: `σημειώνεται ως το τέλος του ημερολογίου, που ${isEmpty ? "είναι κενό" : `τελειώνει με το ${head.id}`}`,
      });
    } else if (!isSame(authenticateEnd(key, recorded), end.chain_seal)) {
      const message = recorded.id === "" ? ALL_CUT_OFF : sentence(recorded.id, CUT_OFF);
      listener.problem({ check: "journal", id: head.id === "" ? null : head.id, message });
    }
    for (const id of noted.keys()) reportProblem(id, describeLoss(id, end.backup_at));
  }

  const events = sequence<EventRow>((last, limit) =>
    findEventsAfter(session, { after: last?.id ?? "", limit }),
  );
  const notes = sequence<EventNoteRow>((last, limit) =>
    findNotesAfter(session, { after: last?.id ?? "", limit }),
  );
  const notesByEvent = sequence<EventNoteRow>((last, limit) =>
    findNotesByEvent(session, { eventId: last?.event_id ?? "", noteId: last?.id ?? "", limit }),
  );
  // In the order of ids: events, notes, and deleted events.
  let [event, note, about] = [await events(), await notes(), await notesByEvent()];
  for (;;) {
    const [id] = [event?.id, note?.id, about?.event_id].filter((one) => one !== undefined).sort();
    if (id === undefined) break;
    if (note?.id === id) {
      advanceTo({ ...note, document_id: null }, digestOfNote(key, note));
      note = await notes();
    }
    const history: EventNoteRow[] = [];
    for (; about?.event_id === id; about = await notesByEvent()) history.push(about);
    if (event?.id === id) {
      checkEvent(event, history);
      event = await events();
    } else checkDeleted(id, history);
    await listener.row();
  }
  checkEnd();
  const { id, link } = head;
  /** The newest link; null if the journal is empty. */
  const newest: NotedLink | null = id === "" ? null : { id, hash: hexOf(link) };
  return { ...report, head: newest };
}

type ChainedRow = Pick<EventRow, "id" | "chain" | "document_id">;

const PORTION = 500;

/** Returns a function that returns the next row each time; undefined at the end. */
function sequence<Row>(
  fetch: (last: Row | undefined, limit: number) => Promise<Row[]>,
): () => Promise<Row | undefined> {
  const rows = itemsOf(everyPortion(PORTION, fetch));
  return async () => (await rows.next()).value as Row | undefined;
}

const OTHER_LINK: Text = {
  en: "has another link than the one that was noted: it, or something before it, was changed",
  el: "έχει άλλον κρίκο από εκείνον που σημειώθηκε: άλλαξε αυτό ή κάτι πριν από αυτό",
};
const CUT_OFF: Text = {
  en: "is not the end of the journal that fiscal stored: the newest events were cut off",
  el: "δεν είναι το τέλος του ημερολογίου που αποθήκευσε το fiscal: τα νεότερα συμβάντα κόπηκαν",
};
const ALL_CUT_OFF: Text = {
  en: "The journal is empty, but that is not what fiscal stored: its events were removed.",
  el: "Το ημερολόγιο είναι κενό, αλλά δεν το αποθήκευσε έτσι το fiscal: τα συμβάντα του αφαιρέθηκαν.",
};

function describeLoss(id: string, backupAt: string | null): Text {
  if (backupAt !== null && msOfEvent(id) >= Date.parse(backupAt)) {
    const { en, el } = instantText(backupAt);
    return {
      en: `was noted as a link of this journal, but is not in it: it came after the backup of ${en} that this database was restored from, and is in the one that was replaced`,
      el: `σημειώθηκε ως κρίκος αυτού του ημερολογίου, αλλά δεν υπάρχει σε αυτό: έγινε μετά το αντίγραφο ασφαλείας της ${el} από το οποίο επανήλθε η βάση, και βρίσκεται σε εκείνη που αντικαταστάθηκε`,
    };
  }
  return {
    en: "was noted as a link of this journal, but is not in it: the journal's end was cut off, or it is another journal",
    el: "σημειώθηκε ως κρίκος αυτού του ημερολογίου, αλλά δεν υπάρχει σε αυτό: το τέλος του κόπηκε ή είναι άλλο ημερολόγιο",
  };
}

/** Describes what is wrong with an event that still exists, given its notes, oldest first. */
function findNoteProblems(key: AuditKey, event: ChainedEvent, notes: readonly EventNoteRow[]): Text[] {
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

function findDeletionProblem(eventId: string, last: EventNoteRow): Text | undefined {
  if (last.kind !== "forgotten") return NOT_FORGOTTEN;
  return msOfEvent(last.id) - msOfEvent(eventId) < FORGOTTEN_AFTER_MS ? FORGOTTEN_TOO_SOON : undefined;
}

/** Retention deletes no event before its idempotency key may be deleted (docs/contract.md#idempotency-records). */
const FORGOTTEN_AFTER_MS = 90 * 86_400_000;

function msOfEvent(id: string): number {
  return msOfIdBody(id.slice("evt_".length));
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
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
