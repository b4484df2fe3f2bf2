/** Finds the connection that sends or queries a document, when its own is out of use. */
import {
  type ConnectionRow,
  findConnectionInUse,
  findConnectionRow,
} from "../../storage/merchants/connections.ts";
import type { DocumentRow } from "../../storage/documents/documents.ts";
import type { Session } from "../../storage/database/session.ts";

/**
 * The connection for queries about what `connectionId` sent: itself if active, otherwise the merchant's active connection to
 * the same provider, whose credentials are kept for longer.
 */
export async function findQueryConnection(
  session: Session,
  row: DocumentRow,
  connectionId: string,
): Promise<ConnectionRow | undefined> {
  const own = await findConnectionRow(session, { id: connectionId });
  if (own?.status === "active") return own;
  const replacement = await findReplacement(session, row);
  return replacement?.status === "active" ? replacement : own;
}

/** The connection to send by: `connectionId` or the one that replaced it; undefined if it is disconnected without a replacement. */
export async function findSendConnection(
  session: Session,
  row: DocumentRow,
  connectionId: string,
): Promise<ConnectionRow | undefined> {
  const own = await findConnectionRow(session, { id: connectionId });
  if (own !== undefined && own.status !== "disconnected") return own;
  return findReplacement(session, row);
}

function findReplacement(session: Session, row: DocumentRow): Promise<ConnectionRow | undefined> {
  const { merchant_id: merchantId, provider, mode } = row;
  return findConnectionInUse(session, { merchantId, provider, mode });
}
