/** How many documents go into one message. Pure. */
import type { OutgoingDocument } from "../../domain/provider-adapter.ts";

/**
 * The authority takes 5000 documents in a message (its error 265). Fifty make a series fifty times as fast as one by one already,
 * and their answer comes well within the time-out; more would gain little, and each lost answer, or each message that is
 * refused as a whole and repeated one by one, would cost as many documents more.
 */
export const DOCUMENTS_MAX = 50;

/**
 * A line is up to 440 bytes of XML: 2000 of them keep a message near 1 MB, whatever fifty documents hold, which no gateway is
 * known to refuse for its size and the authority reads in time. A document alone has 1000 at the most.
 */
export const LINES_MAX = 2000;
/** A MARK that a credit note names is some 55 bytes: so many weigh as much as a line. */
const MARKS_PER_LINE = 6;

function weightOf({ input }: OutgoingDocument): number {
  return input.lines.length + Math.ceil((input.original_marks?.length ?? 0) / MARKS_PER_LINE);
}

/** The places of the documents in one message each, in order: one document, or as many as stay within the limits. */
export function splitIntoMessages(
  documents: readonly OutgoingDocument[],
  places: readonly number[],
): number[][] {
  const messages: number[][] = [];
  let weight = 0;
  for (const place of places) {
    const own = weightOf(documents[place]!);
    const current = messages.at(-1);
    if (current === undefined || current.length >= DOCUMENTS_MAX || weight + own > LINES_MAX) {
      messages.push([place]);
      weight = own;
    } else {
      current.push(place);
      weight += own;
    }
  }
  return messages;
}
