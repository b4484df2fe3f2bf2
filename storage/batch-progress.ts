/** Reports how much of a batch of documents is still in progress, and what the stranded ones wait for. */
import { type ExpressionBuilder, sql } from "kysely";
import type { Tables } from "./schema.ts";
import type { Session } from "./session.ts";

const countPending = sql<number>`count(*)`;

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

/**
 * How many of `ids` a batch still has to wait for. Excludes pending documents to which nothing more will happen by themselves:
 * those that wait for their connection or were taken out of the queue.
 */
export async function countInProgress(session: Session, ids: readonly string[]): Promise<number> {
  const [row] = await session.query((db) =>
    db
      .selectFrom("documents")
      .select(countPending.as("pending"))
      .where("id", "in", ids)
      .where("status", "=", "pending")
      .where((eb) =>
        eb.or([
          eb("lease_owner", "is not", null),
          eb.and([eb("next_at", "is not", null), eb.not(isStranded(eb))]),
        ]),
      ),
  );
  return row?.pending ?? 0;
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
