/** Reports how much of a batch of documents is still in progress, and what the stranded ones wait for. */
import { sql } from "kysely";
import { textsIn } from "../database/dialect.ts";
import { allRows } from "../database/queries.ts";
import type { DocumentPhase } from "../stored-values.ts";

/** Polls before a document whose connection is out of use counts as stranded; they take some minutes. */
const POLLS_UNTIL_STRANDED = 8;

/**
 * Whether nothing more will happen to a document by itself: its merchant has no active connection to the provider, and its own
 * one is invalid, or out of use after enough polls.
 */
const isStranded = sql`
  connection_id is not null and not exists (
    select 1 from connections as active where active.status = 'active' and active.merchant_id = documents.merchant_id
      and active.provider = documents.provider and active.mode = documents.mode
  ) and exists (
    select 1 from connections as own where own.id = documents.connection_id and (own.status = 'invalid' or
      (documents.phase in ('awaiting_mark', 'reconciling') and documents.polls >= ${sql.lit(POLLS_UNTIL_STRANDED)}))
  )`;

/** Documents of a batch that are in the same phase. */
export interface InProgress {
  phase: DocumentPhase;
  count: number;
  /** When the first of them that nobody is working on is due; null if all are being worked on. */
  due: string | null;
}

/**
 * The documents that a batch still has to wait for, by phase. Excludes pending documents to which nothing more will happen by
 * themselves: those that wait for their connection or were taken out of the queue.
 */
export const listInProgress = allRows<{ ids: readonly string[] }>()(
  (_, p) => sql<InProgress>`
    select phase, count(*) as count, min(case when lease_owner is null then next_at end) as due from documents
    where id in ${textsIn(p.ids)} and status = 'pending'
      and (lease_owner is not null or (next_at is not null and not (${isStranded}))) group by phase`,
);

/** The connections that stranded documents wait for. */
export const findStrandedConnections = allRows<{ ids: readonly string[] }>()(
  (_, p) => sql<{ connectionId: string; documents: number }>`
    select connection_id as "connectionId", count(*) as documents from documents
    where id in ${textsIn(p.ids)} and status = 'pending' and ${isStranded} group by connection_id`,
);
