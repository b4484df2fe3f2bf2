/** Reports how much of a batch of documents is still in progress, and what the stranded ones wait for. */
import { type ExpressionBuilder, sql } from "kysely";
import type { Tables } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import type { DocumentPhase } from "../stored-values.ts";

const countPending = sql<number>`count(*)`;
const firstDue = sql<string | null>`min(case when lease_owner is null then next_at end)`;

/** Polls before a document whose connection is out of use counts as stranded; they take some minutes. */
const POLLS_UNTIL_STRANDED = 8;

/** Whether the merchant has any active connection to the document's provider. */
function hasActiveConnection(eb: ExpressionBuilder<Tables, "documents">) {
  return eb.exists(
    eb
      .selectFrom("connections")
      .select("connections.id")
      .whereRef("connections.merchant_id", "=", "documents.merchant_id")
      .whereRef("connections.provider", "=", "documents.provider")
      .whereRef("connections.mode", "=", "documents.mode")
      .where("connections.status", "=", "active"),
  );
}

/** Whether nothing more will happen to it by itself: its connection is invalid, or out of use after enough polls. */
function isStranded(eb: ExpressionBuilder<Tables, "documents">) {
  return eb.and([
    eb("documents.connection_id", "is not", null),
    eb.not(hasActiveConnection(eb)),
    eb.exists(
      eb
        .selectFrom("connections as own")
        .select("own.id")
        .whereRef("own.id", "=", "documents.connection_id")
        .where((own) =>
          own.or([
            own("own.status", "=", "invalid"),
            own.and([
              own("documents.phase", "in", ["awaiting_mark", "reconciling"]),
              own("documents.polls", ">=", POLLS_UNTIL_STRANDED),
            ]),
          ]),
        ),
    ),
  ]);
}

/** Documents of a batch that are in the same phase. */
export interface InProgress {
  phase: DocumentPhase;
  count: number;
  /** When the first of them that nobody is working on is due; null if all are being worked on. */
  due: string | null;
}

/**
 * The documents among `ids` that a batch still has to wait for, by phase. Excludes pending documents to which nothing more will
 * happen by themselves: those that wait for their connection or were taken out of the queue.
 */
export function listInProgress(session: Session, ids: readonly string[]): Promise<InProgress[]> {
  return session.query((db) =>
    db
      .selectFrom("documents")
      .select(["phase", countPending.as("count"), firstDue.as("due")])
      .where("id", "in", ids)
      .where("status", "=", "pending")
      .where((eb) =>
        eb.or([
          eb("lease_owner", "is not", null),
          eb.and([eb("next_at", "is not", null), eb.not(isStranded(eb))]),
        ]),
      )
      .groupBy("phase"),
  );
}

/** The connections that stranded documents among `ids` wait for. */
export function findStrandedConnections(
  session: Session,
  ids: readonly string[],
): Promise<{ connection_id: string | null; count: number }[]> {
  return session.query((db) =>
    db
      .selectFrom("documents")
      .select(["connection_id", countPending.as("count")])
      .where("id", "in", ids)
      .where("status", "=", "pending")
      .where(isStranded)
      .groupBy("connection_id"),
  );
}
