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

export interface ChainReport {
  events: number;
  /** Events that retention deleted, according to their notes. */
  forgotten: number;
  /** Events from which a provider's words were removed, or whose request was replaced. */
  redacted: number;
  /** The newest link; null if the journal is empty. */
  head: NotedLink | null;
}

interface Verification {
  key: AuditKey;
  head: ChainHead;
  report: ChainReport;
  listener: AuditListener;
  /** The links that were noted elsewhere and are not yet found: their digests by their ids. */
  noted: Map<string, string>;
}

type ChainedRow = Pick<EventRow, "id" | "chain" | "document_id">;

export async function auditChain(
  session: Session,
  { key, end }: { key: AuditKey; end: ApplianceRow },
  listener: AuditListener,
  against: readonly NotedLink[] = [],
): Promise<ChainReport> {
  const run: Verification = {
    key,
    head: CHAIN_START,
    report: { events: 0, forgotten: 0, redacted: 0, head: null },
    listener,
    noted: new Map(against.map(({ id, hash }) => [id, hash])),
  };
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
      advanceTo(run, { ...note, document_id: null }, digestOfNote(key, note));
      note = await notes();
    }
    const history: EventNoteRow[] = [];
    for (; about?.event_id === id; about = await notesByEvent()) history.push(about);
    if (event?.id === id) {
      checkEvent(run, event, history);
      event = await events();
    } else checkDeleted(run, id, history);
    await listener.row();
  }
  const recorded = { id: end.chain_id, link: end.chain };
  checkEnd(run, recorded, end.chain_seal, end.backup_at);
  const { id, link } = run.head;
  return { ...run.report, head: id === "" ? null : { id, hash: hexOf(link) } };
}

const PORTION = 500;

/** Returns a function that returns the next row each time; undefined at the end. */
function sequence<Row>(
  fetch: (last: Row | undefined, limit: number) => Promise<Row[]>,
): () => Promise<Row | undefined> {
  const rows = itemsOf(everyPortion(PORTION, fetch));
  return async () => (await rows.next()).value as Row | undefined;
}

function checkEvent(run: Verification, event: EventRow, history: readonly EventNoteRow[]): void {
  const { report, key } = run;
  report.events += 1;
  if (history.length > 0) report.redacted += 1;
  const digest = digestOfEvent(key, event, originalDigests(key, event, history));
  advanceTo(run, event, digest);
  for (const what of findNoteProblems(key, event, history)) reportProblem(run, event.id, what);
}

/** Checks an event of which only notes are left. Only an event without a document may be forgotten. */
function checkDeleted(run: Verification, id: string, history: readonly EventNoteRow[]): void {
  const last = history.at(-1);
  // The id is that of a note.
  if (last === undefined) return;
  run.report.forgotten += 1;
  const { key, head } = run;
  run.head = { id, link: linkAfter(key, head.link, last.digest, null) };
  compareWithNoted(run);
  const what = findDeletionProblem(id, last);
  if (what !== undefined) reportProblem(run, id, what);
}

/** Moves on to a row. Its link must follow from the previous link and its own digest. */
function advanceTo(run: Verification, row: ChainedRow, digest: Uint8Array): void {
  const { key, head: before } = run;
  const { id, chain } = row;
  if (!isSame(linkAfter(key, before.link, digest, row.document_id), chain)) {
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
  const { noted, head } = run;
  const hash = noted.get(head.id);
  if (hash === undefined) return;
  noted.delete(head.id);
  if (hash !== hexOf(head.link))
    reportProblem(run, head.id, {
      en: "has another link than the one that was noted: it, or something before it, was changed",
      el: "έχει άλλον κρίκο από εκείνον που σημειώθηκε: άλλαξε αυτό ή κάτι πριν από αυτό",
    });
}

function checkEnd(run: Verification, recorded: ChainHead, mac: Uint8Array, backupAt: string | null): void {
  const { head } = run;
  if (head.id !== recorded.id || !isSame(head.link, recorded.link)) {
    const isEmpty = head.id === "";
    reportProblem(run, recorded.id === "" ? null : recorded.id, {
      en: `is noted as the end of the journal, which ${isEmpty ? "is empty" : `ends with ${head.id}`}`,
      el: `σημειώνεται ως το τέλος του ημερολογίου, που ${isEmpty ? "είναι κενό" : `τελειώνει με το ${head.id}`}`,
    });
  } else if (!isSame(authenticateEnd(run.key, recorded), mac)) {
    const message = recorded.id === "" ? ALL_CUT_OFF : sentence(recorded.id, CUT_OFF);
    run.listener.problem({ check: "journal", id: head.id === "" ? null : head.id, message });
  }
  for (const id of run.noted.keys()) reportProblem(run, id, describeLoss(id, backupAt));
}

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

function reportProblem(run: Verification, id: string | null, what: Text): void {
  const message =
    id === null ? { en: `Nothing ${what.en}.`, el: `Τίποτα δεν ${what.el}.` } : sentence(id, what);
  run.listener.problem({ check: "journal", id, message });
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
