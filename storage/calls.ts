/** Provider calls: begun before a request leaves, completed by its answer. Their bodies stand apart, sealed. */
import type { Insertable, Selectable } from "kysely";
import type { BodyTable, CallOutcomeWord, ProviderCallTable } from "./schema.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

export type ProviderCallRow = Selectable<ProviderCallTable>;

const insertRow = statement<Insertable<ProviderCallTable>>()((db, p) =>
  db.insertInto("provider_calls").values({
    id: p.id,
    mode: p.mode,
    provider: p.provider,
    operation: p.operation,
    purpose: p.purpose,
    outcome: p.outcome,
    settled_at: p.settled_at,
    http_status: p.http_status,
    duration_ms: p.duration_ms,
    error_json: p.error_json,
    url: p.url,
    merchant_id: p.merchant_id,
    document_id: p.document_id,
    connection_id: p.connection_id,
    started_at: p.started_at,
    open: p.open,
    body_id: p.body_id,
    bodies_purged_at: p.bodies_purged_at,
  }),
);

export async function insertCall(trx: Transaction, row: ProviderCallRow): Promise<void> {
  await trx.run(insertRow, row);
}

/** What is learnt when the answer, or its lack, is in. */
export interface CallCompletion {
  id: string;
  outcome: CallOutcomeWord;
  settledAt: string | null;
  httpStatus: number | null;
  durationMs: number;
  errorJson: string | null;
  url: string | null;
  bodyId: string | null;
}

const completeRow = statement<CallCompletion>()((db, p) =>
  db
    .updateTable("provider_calls")
    .set({
      outcome: p.outcome,
      settled_at: p.settledAt,
      http_status: p.httpStatus,
      duration_ms: p.durationMs,
      error_json: p.errorJson,
      url: p.url,
      body_id: p.bodyId,
      open: 0,
    })
    .where("id", "=", p.id),
);

export async function completeCall(trx: Transaction, completion: CallCompletion): Promise<void> {
  await trx.run(completeRow, completion);
}

const selectOpen = statement<{ documentId: string }>()((db, p) =>
  db.selectFrom("provider_calls").selectAll().where("document_id", "=", p.documentId).where("open", "=", 1),
);

/** Calls about the document that were begun and never completed: their process died, or is at work. */
export function findOpenCalls(session: Session, documentId: string): Promise<ProviderCallRow[]> {
  return session.all(selectOpen, { documentId });
}

const selectFirstSend = statement<{ documentId: string }>()((db, p) =>
  db
    .selectFrom("provider_calls")
    .select("started_at")
    .where("document_id", "=", p.documentId)
    .where("operation", "=", "issue")
    .orderBy("id")
    .limit(1),
);

/** When the first send of the document began; undefined when none did. */
export async function findFirstSend(session: Session, documentId: string): Promise<string | undefined> {
  return (await session.first(selectFirstSend, { documentId }))?.started_at;
}

const selectCalls = statement<{ documentId: string }>()((db, p) =>
  db.selectFrom("provider_calls").selectAll().where("document_id", "=", p.documentId).orderBy("id"),
);

/** Every call about a document, oldest first. */
export function listCallsOfDocument(session: Session, documentId: string): Promise<ProviderCallRow[]> {
  return session.all(selectCalls, { documentId });
}

const insertBodyRow = statement<Insertable<BodyTable>>()((db, p) =>
  db.insertInto("bodies").values({ id: p.id, sealed: p.sealed, created_at: p.created_at }),
);

/** Keeps the sealed bodies of a call or request. */
export async function insertBody(trx: Transaction, row: Selectable<BodyTable>): Promise<void> {
  await trx.run(insertBodyRow, row);
}
