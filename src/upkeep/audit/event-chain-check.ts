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

interface Verification {
  events: Cursor<EventRow>;
  notes: Cursor<EventNoteRow>;
  notesByEvent: Cursor<EventNoteRow>;
  head: ChainHead;
  report: ChainReport;
  listener: AuditListener;
  /** The link that was noted elsewhere. */
  against: NotedLink | undefined;
  hasFoundNoted: boolean;
}

/** Verifies the whole journal, and that `against` is one of its links. */
export async function auditChain(
  session: Session,
  listener: AuditListener,
  against?: NotedLink,
): Promise<ChainReport> {
  const run: Verification = {
    events: createCursor((after, limit) => findEventsAfter(session, after?.id ?? "", limit)),
    notes: createCursor((after, limit) => findNotesAfter(session, after?.id ?? "", limit)),
    notesByEvent: createCursor((after, limit) =>
      findNotesByEvent(session, after ?? { event_id: "", id: "" }, limit),
    ),
    head: CHAIN_START,
    report: { events: 0, forgotten: 0, redacted: 0, head: null },
    listener,
    against,
    hasFoundNoted: false,
  };
  while (await verifyNext(run)) await listener.row();
  checkEnd(run, await findChainHead(session), (await findHold(session)).backupAt);
  const { id, link } = run.head;
  return { ...run.report, head: id === "" ? null : { id, hash: hexOf(link) } };
}

/** Verifies the next row in the order of ids: an event, a note, or a deleted event. Returns false at the end. */
async function verifyNext(run: Verification): Promise<boolean> {
  const [event, note, about] = [
    await run.events.peek(),
    await run.notes.peek(),
    await run.notesByEvent.peek(),
  ];
  const ids = [event?.id, note?.id, about?.event_id].filter((id) => id !== undefined);
  if (ids.length === 0) return false;
  const id = ids.reduce((least, other) => (other < least ? other : least));
  if (note?.id === id) {
    run.notes.advance();
    advanceTo(run, id, digestOfNote(note), note.chain);
  }
  if (event?.id !== id && about?.event_id !== id) return true;
  const history = await readHistory(run, id);
  if (event?.id === id) {
    run.events.advance();
    checkEvent(run, event, history);
  } else checkDeleted(run, id, history);
  return true;
}

async function readHistory(run: Verification, eventId: string): Promise<EventNoteRow[]> {
  const history: EventNoteRow[] = [];
  for (;;) {
    const note = await run.notesByEvent.peek();
    if (note?.event_id !== eventId) return history;
    history.push(note);
    run.notesByEvent.advance();
  }
}

function checkEvent(run: Verification, event: EventRow, history: readonly EventNoteRow[]): void {
  const { report } = run;
  report.events += 1;
  const digest = digestOfEvent(event);
  const [first] = history;
  advanceTo(run, event.id, first?.digest ?? digest, event.chain);
  if (first === undefined) return;
  report.redacted += 1;
  const last = checkHistory(run, event.id, history);
  if (last.digest_after === null)
    reportProblem(run, event.id, {
      en: "still exists, although a note says that it was forgotten",
      el: "υπάρχει ακόμη, αν και μια σημείωση λέει ότι διαγράφηκε",
    });
  else if (!isSame(last.digest_after, digest))
    reportProblem(run, event.id, {
      en: "is not what was left of it when a provider's words were taken out",
      el: "δεν είναι ό,τι έμεινε όταν αφαιρέθηκαν τα λόγια ενός παρόχου",
    });
}

/** Checks an event of which only notes are left. */
function checkDeleted(run: Verification, id: string, history: readonly EventNoteRow[]): void {
  const [first] = history;
  if (first === undefined) return;
  run.report.forgotten += 1;
  run.head = { id, link: linkAfter(run.head.link, first.digest) };
  compareWithNoted(run);
  const last = checkHistory(run, id, history);
  if (last.digest_after !== null)
    reportProblem(run, id, {
      en: "is gone, and no note says that it was forgotten",
      el: "λείπει και καμία σημείωση δεν λέει ότι διαγράφηκε",
    });
  else if (ageMs(id, last.id) < FORGOTTEN_AFTER_MS)
    reportProblem(run, id, {
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
function checkHistory(run: Verification, id: string, history: readonly EventNoteRow[]): EventNoteRow {
  for (const [index, note] of history.entries()) {
    const before = history[index - 1];
    if (before !== undefined && (before.digest_after === null || !isSame(before.digest_after, note.digest)))
      reportProblem(run, note.id, {
        en: `does not continue from what the previous note left of ${id}`,
        el: `δεν συνεχίζει από ό,τι άφησε η προηγούμενη σημείωση του ${id}`,
      });
  }
  return history.at(-1)!;
}

/** Moves on to a row. Its link must follow from the previous link and its own digest. */
function advanceTo(run: Verification, id: string, digest: Uint8Array, chain: Uint8Array): void {
  const before = run.head;
  if (!isSame(linkAfter(before.link, digest), chain)) {
    reportProblem(run, id, {
      en: `does not follow from ${before.id === "" ? "the beginning" : before.id}: it was changed or moved, or something between them was removed or inserted`,
      el: `δεν ακολουθεί ${before.id === "" ? "την αρχή" : `το ${before.id}`}: άλλαξε ή μετακινήθηκε, ή κάτι ανάμεσά τους αφαιρέθηκε ή προστέθηκε`,
    });
  }
  run.head = { id, link: chain };
  compareWithNoted(run);
}

/** Compares the current link with the one that was noted elsewhere, if it has that id. */
function compareWithNoted(run: Verification): void {
  const { against, head } = run;
  if (against?.id !== head.id) return;
  run.hasFoundNoted = true;
  if (against.hash !== hexOf(head.link))
    reportProblem(run, head.id, {
      en: "has another link than the one that was noted: it, or something before it, was changed",
      el: "έχει άλλον κρίκο από εκείνον που σημειώθηκε: άλλαξε αυτό ή κάτι πριν από αυτό",
    });
}

function checkEnd(run: Verification, noted: ChainHead, backupAt: string | null): void {
  const { head, against } = run;
  if (head.id !== noted.id || !isSame(head.link, noted.link)) {
    const isEmpty = head.id === "";
    reportProblem(run, noted.id === "" ? null : noted.id, {
      en: `is noted as the end of the journal, which ${isEmpty ? "is empty" : `ends with ${head.id}`}`,
      el: `σημειώνεται ως το τέλος του ημερολογίου, που ${isEmpty ? "είναι κενό" : `τελειώνει με το ${head.id}`}`,
    });
  }
  if (against !== undefined && !run.hasFoundNoted)
    reportProblem(run, against.id, describeLoss(against.id, backupAt));
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

function reportProblem(run: Verification, id: string | null, what: Text): void {
  const message =
    id === null ? { en: `Nothing ${what.en}.`, el: `Τίποτα δεν ${what.el}.` } : sentence(id, what);
  run.listener.problem({ check: "journal", id, message });
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
