/** Notes about changed and deleted events, and the rows of the chain as the audit reads them (event-chain.ts). */
import type { Selectable } from "kysely";
import type { AuditKey } from "./audit-key.ts";
import {
  type ChainedEvent,
  digestOfEvent,
  digestOfNote,
  digestRemovable,
  type EventNoteRow,
  type RemovableDigests,
} from "./event-chain.ts";
import type { ApplianceTable } from "../database/schema.ts";
import type { EventNoteKind } from "../stored-values.ts";
import { statement } from "../database/statement.ts";
import { allRows, firstRow } from "../database/queries.ts";
import type { Transaction } from "../database/write.ts";

async function appendNote(
  trx: Transaction,
  fields: Pick<EventNoteRow, "kind" | "event_id" | "digest" | "digest_after">,
): Promise<void> {
  const note = { id: trx.newId("evt"), ...fields };
  const chain = trx.extendChain(note.id, digestOfNote(trx.auditKey, note), null);
  await trx.insertRows({ event_notes: [{ ...note, chain }] });
}

/** The notes about a provider's words, and the column that had them. */
const WORDS = [
  ["object_words", "object"],
  ["previous_words", "previous"],
] as const satisfies readonly (readonly [EventNoteKind, keyof RemovableDigests])[];

/** Adds a note for each snapshot from which a provider's words were removed. */
export async function noteRemovedWords(
  trx: Transaction,
  before: ChainedEvent,
  after: ChainedEvent,
): Promise<void> {
  const [had, has] = [digestRemovable(trx.auditKey, before), digestRemovable(trx.auditKey, after)];
  for (const [kind, part] of WORDS) {
    const digest = had[part];
    if (digest === null || has[part] !== null) continue;
    await appendNote(trx, { kind, event_id: before.id, digest, digest_after: null });
  }
}

/** Adds a note that the request id or the idempotency key of `before` was replaced. Throws if neither was set before or after. */
export async function noteReplacedRequest(
  trx: Transaction,
  before: ChainedEvent,
  after: ChainedEvent,
): Promise<void> {
  const digest = digestRemovable(trx.auditKey, before).request;
  const digest_after = digestRemovable(trx.auditKey, after).request;
  if (digest === null || digest_after === null)
    throw new Error(`The event ${before.id} has no request to replace`);
  await appendNote(trx, { kind: "request", event_id: before.id, digest, digest_after });
}

/** Adds a note that the event was deleted. Throws for the event of a document, which is never forgotten. */
export async function noteForgottenEvent(trx: Transaction, row: ChainedEvent): Promise<void> {
  if (row.document_id !== null) throw new Error(`${row.id} is about a document and cannot be forgotten`);
  const notes = await trx.all(selectNotesOf, { eventId: row.id });
  const digest = digestOfEvent(trx.auditKey, row, originalDigests(trx.auditKey, row, notes));
  await appendNote(trx, { kind: "forgotten", event_id: row.id, digest, digest_after: null });
}

/** The digests that the event was written with: the first note about a part has it, otherwise the part is unchanged. */
export function originalDigests(
  key: AuditKey,
  row: ChainedEvent,
  notes: readonly EventNoteRow[],
): RemovableDigests {
  const now = digestRemovable(key, row);
  const firstOf = (kind: EventNoteKind) => notes.find((note) => note.kind === kind)?.digest;
  return {
    object: firstOf("object_words") ?? now.object,
    previous: firstOf("previous_words") ?? now.previous,
    request: firstOf("request") ?? now.request,
  };
}

const selectNotesOf = statement<{ eventId: string }>()((db, p) =>
  db.selectFrom("event_notes").selectAll().where("event_id", "=", p.eventId).orderBy("id"),
);

/** What the appliance row records of the chain. */
export type RecordedChain = Pick<
  Selectable<ApplianceTable>,
  "chain_id" | "chain" | "chain_seal" | "audit_key" | "key_check" | "created_at" | "resumed_at"
>;

/** Undefined if the database has no appliance row. */
export const findRecordedChain = firstRow()((db) =>
  db
    .selectFrom("appliance")
    .select(["chain_id", "chain", "chain_seal", "audit_key", "key_check", "created_at", "resumed_at"])
    .where("id", "=", 1),
);

/** Events of both modes with ids above `after`, oldest first. */
export const findEventsAfter = allRows<{ after: string; limit: number }>()((db, p) =>
  db.selectFrom("events").selectAll().where("id", ">", p.after).orderBy("id").limit(p.limit),
);

/** Notes with ids above `after`, oldest first. */
export const findNotesAfter = allRows<{ after: string; limit: number }>()((db, p) =>
  db.selectFrom("event_notes").selectAll().where("id", ">", p.after).orderBy("id").limit(p.limit),
);

/** Notes after that of an event and an id, in the order of their events and, for the same event, oldest first. */
export const findNotesByEvent = allRows<{ eventId: string; noteId: string; limit: number }>()((db, p) =>
  db
    .selectFrom("event_notes")
    .selectAll()
    .where((eb) =>
      eb.or([
        eb("event_id", ">", p.eventId),
        eb.and([eb("event_id", "=", p.eventId), eb("id", ">", p.noteId)]),
      ]),
    )
    .orderBy("event_id")
    .orderBy("id")
    .limit(p.limit),
);
