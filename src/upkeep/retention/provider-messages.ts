/**
 * Removes providers' messages from stored errors when they may no longer be kept: `provider_message` becomes null and the raw
 * body is deleted. The code and our own message stay.
 */
import { type EventRow, findEvent } from "../../../storage/journal/events.ts";
import { findDocumentRow } from "../../../storage/documents/documents.ts";
import { removeProviderWords, withoutProviderWords } from "../../../storage/journal/event-chain.ts";
import {
  findEventsOfDocument,
  rewriteDocumentError,
  rewriteEvent,
} from "../../../storage/journal/event-notes.ts";
import type { Transaction } from "../../../storage/database/write.ts";
import { readJson } from "../../foundation/json.ts";

/** The events that contain a connection's `last_error`. */
export const CONNECTION_EVENTS = [
  "connection.created",
  "connection.verified",
  "connection.invalid",
  "connection.disconnected",
] as const;

/** Returns the error without the provider's message, or undefined if it has none. */
export function withoutProviderMessage(errorJson: string | null): string | undefined {
  if (errorJson === null) return undefined;
  const error = readJson<unknown>(errorJson);
  return removeProviderWords(error) ? JSON.stringify(error) : undefined;
}

/** Which part of an event is redacted: all of it, or only its previous attributes. */
type EventPart = "whole" | "previous";

/** Removes providers' messages from an event. Returns false if there are none, or if the event is gone. */
export async function redactEvent(
  trx: Transaction,
  { id }: Pick<EventRow, "id">,
  part: EventPart = "whole",
): Promise<boolean> {
  // Read again in this write, because the journal stores a digest of the event before the change.
  const row = await findEvent(trx, { id });
  if (row === undefined) return false;
  const objectJson = part === "whole" ? withoutProviderWords(row.object_json) : row.object_json;
  const previousJson = row.previous_json === null ? null : withoutProviderWords(row.previous_json);
  if (objectJson === row.object_json && previousJson === row.previous_json) return false;
  await rewriteEvent(trx, row, { objectJson, previousJson });
  return true;
}

/**
 * Removes providers' messages from a document and its events: those written before the instant `before`, or all if it is
 * undefined. Returns whether the document changed, and how many events did.
 */
export async function redactDocument(
  trx: Transaction,
  documentId: string,
  before: string | undefined,
): Promise<{ document: boolean; events: number }> {
  const row = await findDocumentRow(trx, { id: documentId });
  if (row === undefined) return { document: false, events: 0 };
  const isOld = (instant: string) => before === undefined || instant < before;
  const errorJson = isOld(row.updated_at) ? withoutProviderMessage(row.error_json) : undefined;
  if (errorJson !== undefined) await rewriteDocumentError(trx, { id: documentId, errorJson });
  let events = 0;
  // An event's previous attributes repeat the event before it: a new retry has the message of a failure that may be old.
  let isPreviousOld = false;
  for (const event of await findEventsOfDocument(trx, { documentId })) {
    const isEventOld = isOld(event.created_at);
    const part: EventPart | undefined = isEventOld ? "whole" : isPreviousOld ? "previous" : undefined;
    if (part !== undefined && (await redactEvent(trx, event, part))) events += 1;
    isPreviousOld = isEventOld;
  }
  return { document: errorJson !== undefined, events };
}
