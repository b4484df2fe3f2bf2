/** Groups documents into messages. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OutgoingDocument } from "../../../src/domain/provider-adapter.ts";
import { DOCUMENTS_MAX } from "../../../src/providers/registry-direct/description.ts";
import { LINES_MAX, splitIntoMessages } from "../../../src/providers/registry-direct/split-messages.ts";
import { buildInvoicesDoc } from "../../../src/providers/registry-direct/payload.ts";
import { writeXml } from "../../../src/providers/registry-direct/xml.ts";
import { buildLine, buildOutgoing, CUSTOMERS } from "../../helpers/documents.ts";

const small = buildOutgoing("11.1");

/** Like `small`, with `count` lines, of which only the number matters. */
function withLines(count: number): OutgoingDocument {
  return {
    ...small,
    input: { ...small.input, lines: Array.from({ length: count }, () => small.input.lines[0]!) },
  };
}

const all = (documents: readonly OutgoingDocument[]) => [...documents.keys()];

describe("messages", () => {
  test("small documents are grouped", () => {
    const documents = Array.from({ length: DOCUMENTS_MAX }, () => small);
    expect(splitIntoMessages(documents, all(documents))).toEqual([all(documents)]);
  });

  test("documents beyond a message's limit go into the next one", () => {
    const documents = Array.from({ length: DOCUMENTS_MAX + 1 }, () => small);
    expect(splitIntoMessages(documents, all(documents)).map(({ length }) => length)).toEqual([
      DOCUMENTS_MAX,
      1,
    ]);
  });

  test("large documents go into several", () => {
    const documents = [withLines(1000), withLines(1000), withLines(1), withLines(1000), withLines(1000)];
    expect(splitIntoMessages(documents, all(documents))).toEqual([[0, 1], [2, 3], [4]]);
  });

  test("a credit note with a thousand MARKs counts with its MARKs", () => {
    const marks = Array.from({ length: 1000 }, (_, index) => String(400_001_000_000_000 + index));
    const note = buildOutgoing("5.1", { original_marks: marks });
    const documents = Array.from({ length: 20 }, () => note);
    expect(splitIntoMessages(documents, all(documents)).map(({ length }) => length)).toEqual([11, 9]);
  });

  test("no documents make no message", () => {
    expect(splitIntoMessages([], [])).toEqual([]);
  });

  test("every document is sent once, in order, in messages within the limits", () => {
    const counts = fc.array(fc.integer({ min: 1, max: 1000 }), { maxLength: 60 });
    fc.assert(
      fc.property(counts, (lines) => {
        const documents = lines.map(withLines);
        const places = all(documents).filter((place) => place % 7 !== 3);
        const messages = splitIntoMessages(documents, places);
        expect(messages.flat()).toEqual(places);
        for (const message of messages) {
          const sum = message.reduce((total, place) => total + lines[place]!, 0);
          expect(message.length === 1 || (message.length <= DOCUMENTS_MAX && sum <= LINES_MAX)).toBe(true);
        }
      }),
    );
  });
});

test("the largest message is close to a megabyte", () => {
  const line = buildLine({ quantity: "1", unit_price: 40_000_000_000, vat_category: "exempt" });
  const name = "&".repeat(200);
  const address = {
    street: "&".repeat(150),
    number: "9".repeat(20),
    postal_code: "1".repeat(20),
    city: "&".repeat(150),
  };
  const customer = { ...CUSTOMERS.abroad, name, address };
  const document = buildOutgoing("5.2", { customer, lines: Array.from({ length: 40 }, () => line) });
  const documents = Array.from({ length: DOCUMENTS_MAX }, () => document);
  expect(splitIntoMessages(documents, all(documents))).toHaveLength(1);
  expect(Buffer.byteLength(writeXml(buildInvoicesDoc(documents)))).toBeLessThan(1_100_000);
});
