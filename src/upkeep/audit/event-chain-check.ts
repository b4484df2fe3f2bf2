/**
 * Verifies the journal's hash chain, link by link. It reads three sequences in parallel: events, notes, and notes in the order
 * of their events. A deleted event thus has its place and its digest from its note. After a broken row, verification continues
 * from that row's own link, so that only the broken rows are reported and not all after them.
 */
import {
  CHAIN_START,
  type ChainHead,
  digestOfEvent,
  digestOfNote,
  type EventNoteRow,
  hexOf,
  linkAfter,
} from "../../../storage/event-chain.ts";
import {
  findChainHead,
  findEventsAfter,
  findNotesByEvent,
  findNotesAfter,
} from "../../../storage/event-notes.ts";
import { findHold } from "../../../storage/held.ts";
import type { EventRow } from "../../../storage/events.ts";
import { msOfIdBody } from "../../../storage/ids.ts";
import type { Session } from "../../../storage/session.ts";
import { createCursor, type Cursor } from "./audit-cursor.ts";
import type { Text } from "../../foundation/text.ts";
import { type AuditListener, type NotedLink, sentence } from "./audit-finding.ts";

/** What was verified, and where the chain ends. */
export interface ChainReport {
  events: number;
  /** Events that retention deleted, according to their notes. */
  forgotten: number;
  /** Events from which a provider's message was removed. */
  redacted: number;
  /** The newest link; null if the journal is empty. */
  head: NotedLink | null;
}

interface Walk {
  events: Cursor<EventRow>;
  notes: Cursor<EventNoteRow>;
  about: Cursor<EventNoteRow>;
  head: ChainHead;
  report: ChainReport;
  listener: AuditListener;
  against: NotedLink | undefined;
  hasMet: boolean;
}

/** Verifies the whole journal, and that `against` is one of its links. */
export async function auditChain(
  session: Session,
  listener: AuditListener,
  against?: NotedLink,
): Promise<ChainReport> {
  const walk: Walk = {
    events: createCursor((after, limit) => findEventsAfter(session, after?.id ?? "", limit)),
    notes: createCursor((after, limit) => findNotesAfter(session, after?.id ?? "", limit)),
    about: createCursor((after, limit) =>
      findNotesByEvent(session, after ?? { event_id: "", id: "" }, limit),
    ),
    head: CHAIN_START,
    report: { events: 0, forgotten: 0, redacted: 0, head: null },
    listener,
    against,
    hasMet: false,
  };
  while (await step(walk)) await listener.row();
  checkEnd(walk, await findChainHead(session), (await findHold(session)).backupAt);
  const { id, link } = walk.head;
  return { ...walk.report, head: id === "" ? null : { id, hash: hexOf(link) } };
}

/** Verifies the next row in the order of ids: an event, a note, or a deleted event. Returns false at the end. */
async function step(walk: Walk): Promise<boolean> {
  const [event, note, about] = [await walk.events.peek(), await walk.notes.peek(), await walk.about.peek()];
  const ids = [event?.id, note?.id, about?.event_id].filter((id) => id !== undefined);
  if (ids.length === 0) return false;
  const id = ids.reduce((least, other) => (other < least ? other : least));
  if (note?.id === id) {
    walk.notes.advance();
    follow(walk, id, digestOfNote(note), note.chain);
  }
  if (event?.id !== id && about?.event_id !== id) return true;
  const history = await takeHistory(walk, id);
  if (event?.id === id) {
    walk.events.advance();
    checkEvent(walk, event, history);
  } else checkGone(walk, id, history);
  return true;
}

async function takeHistory(walk: Walk, eventId: string): Promise<EventNoteRow[]> {
  const history: EventNoteRow[] = [];
  for (;;) {
    const note = await walk.about.peek();
    if (note?.event_id !== eventId) return history;
    history.push(note);
    walk.about.advance();
  }
}

function checkEvent(walk: Walk, event: EventRow, history: readonly EventNoteRow[]): void {
  const { report } = walk;
  report.events += 1;
  const digest = digestOfEvent(event);
  const [first] = history;
  follow(walk, event.id, first?.digest ?? digest, event.chain);
  if (first === undefined) return;
  report.redacted += 1;
  const last = checkHistory(walk, event.id, history);
  if (last.digest_after === null)
    blame(walk, event.id, {
      en: "still exists, although a note says that it was forgotten",
      el: "υπάρχει ακόμη, αν και μια σημείωση λέει ότι διαγράφηκε",
    });
  else if (!isSame(last.digest_after, digest))
    blame(walk, event.id, {
      en: "is not what was left of it when a provider's words were taken out",
      el: "δεν είναι ό,τι έμεινε όταν αφαιρέθηκαν τα λόγια ενός παρόχου",
    });
}

/** Checks an event of which only notes are left. */
function checkGone(walk: Walk, id: string, history: readonly EventNoteRow[]): void {
  const [first] = history;
  if (first === undefined) return;
  walk.report.forgotten += 1;
  walk.head = { id, link: linkAfter(walk.head.link, first.digest) };
  meet(walk);
  const last = checkHistory(walk, id, history);
  if (last.digest_after !== null)
    blame(walk, id, {
      en: "is gone, and no note says that it was forgotten",
      el: "λείπει και καμία σημείωση δεν λέει ότι διαγράφηκε",
    });
  else if (ageMs(id, last.id) < FORGOTTEN_AFTER_MS)
    blame(walk, id, {
      en: "was forgotten sooner than any retention setting allows",
      el: "διαγράφηκε νωρίτερα απ' όσο επιτρέπει οποιαδήποτε ρύθμιση διατήρησης",
    });
}

/** Retention deletes no event before its idempotency key may be deleted (docs/contract.md#idempotency-records). */
const FORGOTTEN_AFTER_MS = 90 * 86_400_000;

function ageMs(eventId: string, noteId: string): number {
  return msOfEvent(noteId) - msOfEvent(eventId);
}

/** Returns the time at which the event or note with this id was written. */
function msOfEvent(id: string): number {
  return msOfIdBody(id.slice("evt_".length));
}

/** Checks that each note continues from the digest that the previous one left. Returns the last note. */
function checkHistory(walk: Walk, id: string, history: readonly EventNoteRow[]): EventNoteRow {
  for (const [index, note] of history.entries()) {
    const before = history[index - 1];
    if (before !== undefined && (before.digest_after === null || !isSame(before.digest_after, note.digest)))
      blame(walk, note.id, {
        en: `does not continue from what the previous note left of ${id}`,
        el: `δεν συνεχίζει από ό,τι άφησε η προηγούμενη σημείωση του ${id}`,
      });
  }
  return history.at(-1)!;
}

/** Moves on to a row. Its link must follow from the previous link and its own digest. */
function follow(walk: Walk, id: string, digest: Uint8Array, chain: Uint8Array): void {
  const before = walk.head;
  if (!isSame(linkAfter(before.link, digest), chain)) {
    blame(walk, id, {
      en: `does not follow from ${before.id === "" ? "the beginning" : before.id}: it was changed or moved, or something between them was removed or inserted`,
      el: `δεν ακολουθεί ${before.id === "" ? "την αρχή" : `το ${before.id}`}: άλλαξε ή μετακινήθηκε, ή κάτι ανάμεσά τους αφαιρέθηκε ή προστέθηκε`,
    });
  }
  walk.head = { id, link: chain };
  meet(walk);
}

/** Compares the current link with the one that was noted elsewhere, if it has that id. */
function meet(walk: Walk): void {
  const { against, head } = walk;
  if (against?.id !== head.id) return;
  walk.hasMet = true;
  if (against.hash !== hexOf(head.link))
    blame(walk, head.id, {
      en: "has another link than the one that was noted: it, or something before it, was changed",
      el: "έχει άλλον κρίκο από εκείνον που σημειώθηκε: άλλαξε αυτό ή κάτι πριν από αυτό",
    });
}

function checkEnd(walk: Walk, noted: ChainHead, backupAt: string | null): void {
  const { head, against } = walk;
  if (head.id !== noted.id || !isSame(head.link, noted.link)) {
    const isEmpty = head.id === "";
    blame(walk, noted.id === "" ? null : noted.id, {
      en: `is noted as the end of the journal, which ${isEmpty ? "is empty" : `ends with ${head.id}`}`,
      el: `σημειώνεται ως το τέλος του ημερολογίου, που ${isEmpty ? "είναι κενό" : `τελειώνει με το ${head.id}`}`,
    });
  }
  if (against !== undefined && !walk.hasMet) blame(walk, against.id, describeLoss(against.id, backupAt));
}

function describeLoss(id: string, backupAt: string | null): Text {
  const isYounger = backupAt !== null && msOfEvent(id) >= Date.parse(backupAt);
  return isYounger
    ? {
        en: `was noted as a link of this journal, but is not in it: it came after the backup of ${backupAt} that this database was restored from, and is in the one that was replaced`,
        el: `σημειώθηκε ως κρίκος αυτού του ημερολογίου, αλλά δεν υπάρχει σε αυτό: έγινε μετά το αντίγραφο ασφαλείας της ${backupAt} από το οποίο επανήλθε η βάση, και βρίσκεται σε εκείνη που αντικαταστάθηκε`,
      }
    : {
        en: "was noted as a link of this journal, but is not in it: the journal's end was cut off, or it is another journal",
        el: "σημειώθηκε ως κρίκος αυτού του ημερολογίου, αλλά δεν υπάρχει σε αυτό: το τέλος του κόπηκε ή είναι άλλο ημερολόγιο",
      };
}

function blame(walk: Walk, id: string | null, what: Text): void {
  const message =
    id === null ? { en: `Nothing ${what.en}.`, el: `Τίποτα δεν ${what.el}.` } : sentence(id, what);
  walk.listener.problem({ check: "journal", id, message });
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
