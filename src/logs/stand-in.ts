/**
 * Restores the bodies of an accepted document as version 0.2.0 logged them: it stored how the document that was sent differs from
 * the stored one, and no second copy. Retention deletes the last of them.
 */
import { findDocumentInput } from "../../storage/documents/documents.ts";
import { findFirstEvent } from "../../storage/journal/events.ts";
import type { RequestRow } from "../../storage/logs/requests.ts";
import { readJson } from "../foundation/json.ts";
import type { Context } from "../journal/context.ts";
import { buildLoggedBody, type LoggedExchange } from "./log-bodies.ts";

type Key = string | number;

/** Paths, each with the value sent there. Without a second element, nothing was sent at the path. */
type Difference = [path: Key[], sent?: unknown][];

/** With a stand-in, both bodies are null. The response is the snapshot of the document's first event. */
export type LoggedRequest = LoggedExchange & {
  standIn?: {
    /** The other members of the request. */
    around: Record<string, unknown>;
    difference: Difference;
  };
};

/** The exchange with its bodies. */
export async function restoreBodies(
  context: Context,
  row: RequestRow,
  { standIn, request, response }: LoggedRequest,
): Promise<LoggedExchange> {
  if (standIn === undefined) return { request, response };
  const { around, difference } = standIn;
  const { read } = context.store;
  const documentId = row.document_id ?? "";
  const input = await findDocumentInput(read, documentId);
  const first = await findFirstEvent(read, { documentId });
  const hasBoth = input !== undefined && first?.type === "document.created";
  if (!hasBoth) throw new Error(`The document ${documentId} of the request ${row.id} is missing`);
  const document = applyDifference(readJson(input.input_json), difference);
  return {
    request:
      request === null || "omitted" in request ? request : { ...request, body: { ...around, document } },
    response:
      response === null || "omitted" in response
        ? response
        : { ...response, body: buildLoggedBody(`{"data":${first.object_json}}`, true) },
  };
}

/** Applies the changes to `kept`, which is modified, and returns the result. */
function applyDifference(kept: unknown, difference: Difference): unknown {
  let whole = kept;
  for (const [path, ...sent] of difference) {
    const last = path.at(-1);
    if (last === undefined) {
      whole = sent[0];
      continue;
    }
    const place = path.slice(0, -1).reduce((value, key) => (value as Record<Key, unknown>)[key], whole);
    const object = place as Record<Key, unknown>;
    if (sent.length === 0) delete object[last];
    else
      Object.defineProperty(object, last, {
        value: sent[0],
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return whole;
}
