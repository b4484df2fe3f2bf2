/**
 * Taking a provider's words out of errors once they may not be kept: `provider_message` becomes null, the raw body goes. The
 * code and our own message stay.
 */
import { type EventRow, findEvent } from "../../../storage/events.ts";
import { findDocumentRow } from "../../../storage/documents.ts";
import { findEventsOfDocument, rewriteDocumentError, rewriteEvent } from "../../../storage/rewriting.ts";
import type { Transaction } from "../../../storage/write.ts";
import { readJson } from "../../foundation/json.ts";

interface Wordy {
  provider_message?: string | null;
  provider_raw?: unknown;
}

/** Whether anything was taken out. */
function strip(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const wordy = error as Wordy;
  const has = typeof wordy.provider_message === "string" || wordy.provider_raw !== undefined;
  if (has) {
    wordy.provider_message = null;
    delete wordy.provider_raw;
  }
  return has;
}

/** The error without the provider's words; undefined where it had none. */
export function withoutWords(errorJson: string | null): string | undefined {
  if (errorJson === null) return undefined;
  const error = readJson<unknown>(errorJson);
  return strip(error) ? JSON.stringify(error) : undefined;
}

/** Takes them out of what an event tells: all of it, or only of how it was before. False where there were none, or it is gone. */
export async function stripEvent(
  trx: Transaction,
  { id }: Pick<EventRow, "id">,
  part: "whole" | "previous" = "whole",
): Promise<boolean> {
  // As this write sees it: the journal keeps a digest of what it was.
  const row = await findEvent(trx, id);
  if (row === undefined) return false;
  const object = readJson<Record<string, unknown>>(row.object_json);
  const previous = row.previous_json === null ? null : readJson<Record<string, unknown>>(row.previous_json);
  const told = part === "whole" ? [object["error"], object["last_error"]] : [];
  const changes = [...told, previous?.["error"], previous?.["last_error"]].map(strip);
  if (!changes.includes(true)) return false;
  await rewriteEvent(trx, row, {
    objectJson: JSON.stringify(object),
    previousJson: previous === null ? null : JSON.stringify(previous),
  });
  return true;
}

/**
 * Takes them out of a document and its events: those from before the instant, or all where it is undefined. Answers what
 * was changed.
 */
export async function stripDocument(
  trx: Transaction,
  documentId: string,
  before: string | undefined,
): Promise<{ document: boolean; events: number }> {
  const row = await findDocumentRow(trx, documentId);
  if (row === undefined) return { document: false, events: 0 };
  const isOld = (instant: string) => before === undefined || instant < before;
  const errorJson = isOld(row.updated_at) ? withoutWords(row.error_json) : undefined;
  if (errorJson !== undefined) await rewriteDocumentError(trx, documentId, errorJson);
  let events = 0;
  // How it was before an event is what the event before told: a retry repeats the words of a failure that may be long past.
  let wasOld = false;
  for (const event of await findEventsOfDocument(trx, documentId)) {
    const part: "whole" | "previous" | undefined = isOld(event.created_at)
      ? "whole"
      : wasOld
        ? "previous"
        : undefined;
    wasOld = part === "whole";
    if (part !== undefined && (await stripEvent(trx, event, part))) events += 1;
  }
  return { document: errorJson !== undefined, events };
}
