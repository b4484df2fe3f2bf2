/** Splits the documents of a send into messages. The sandbox, which simulates the registry, does so within limits of its own. */
import type { OutgoingDocument } from "../../domain/provider-adapter.ts";
import { DOCUMENTS_MAX } from "./description.ts";

/**
 * A line is up to 440 bytes of XML, so 2000 lines keep a message near 1 MB, small enough for any known gateway. A
 * single document has at most 1000.
 */
export const LINES_MAX = 2000;
/** A MARK named by a credit note takes about 55 bytes, so this many weigh as much as a line. */
const MARKS_PER_LINE = 6;

function weightOf({ input }: OutgoingDocument): number {
  return input.lines.length + Math.ceil((input.original_marks?.length ?? 0) / MARKS_PER_LINE);
}

/**
 * The positions of the documents in each message, in order. A message has one document, or as many as fit the limits. A
 * document whose earlier send was not found goes alone, so that it cannot fail the others again
 * (docs/contract.md#http-400-to-a-send).
 */
export function splitIntoMessages(
  documents: readonly OutgoingDocument[],
  places: readonly number[],
  max = { documents: DOCUMENTS_MAX, lines: LINES_MAX },
): number[][] {
  const messages: number[][] = [];
  let current: number[] | undefined;
  let weight = 0;
  for (const place of places) {
    const document = documents[place]!;
    const own = weightOf(document);
    const isFull = current !== undefined && (current.length >= max.documents || weight + own > max.lines);
    if (current === undefined || isFull || document.wasNotFound) {
      current = [];
      weight = 0;
      messages.push(current);
    }
    current.push(place);
    weight += own;
    if (document.wasNotFound) current = undefined;
  }
  return messages;
}
