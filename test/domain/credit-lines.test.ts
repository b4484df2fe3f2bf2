/** Credits of a document in parts: docs/contract.md#crediting-a-document. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CanonicalLine, parseDocument } from "../../src/domain/canonical-document.ts";
import {
  creditLines,
  type CreditRequest,
  type Credits,
  findRemaining,
  isNothingLeft,
} from "../../src/domain/credit-lines.ts";
import { VAT_CATEGORIES, type VatCategory } from "../../src/domain/document-codes.ts";
import { computeTotals, computeVatShares } from "../../src/domain/totals.ts";
import { buildDocument, buildLine, buildParsed, type LineInput, TODAY } from "../helpers/documents.ts";

const PAIR = { category: "category1_1", type: "E3_561_001" };

/** A document of which parts are credited one after another. */
function openCredits(inputs: LineInput[]) {
  const { lines } = buildParsed("1.1", { lines: inputs });
  const original = { lines, pairs: lines.map(() => PAIR) };
  const credits: { parts: Credits["parts"][number][]; unnamed: Credits["unnamed"][number][] } = {
    parts: [],
    unnamed: [],
  };
  const credited: CanonicalLine[][] = [];
  const remaining = () => findRemaining(original, credits);

  /** The problems, if the credit is refused. A credit note is checked like every document. */
  function credit(requests?: CreditRequest[]): string[] {
    const left = remaining();
    const note = creditLines(left, requests);
    if ("problems" in note) return note.problems.map(({ path, message }) => `${path}: ${message.en}`);
    parseDocument(buildDocument("5.1", { lines: note.lines }), { today: TODAY, prefix: "" });
    credits.parts.push(...note.parts);
    credited.push(note.lines);
    expect(remaining()).toEqual(left);
    return [];
  }
  const sums = () => {
    const { net, vat } = computeTotals(credited.flat());
    return { net, vat };
  };
  const last = () => credited.at(-1)!;
  return { lines, credits, credit, sums, last, isNothingLeft: () => isNothingLeft(remaining()) };
}

const three = buildLine({ description: "Ποτήρια", quantity: "3", unit: "kg", unit_price: 333 });

describe("a credit of everything", () => {
  test("has the lines of the original with the pairs that they were sent with", () => {
    const { credit, last, isNothingLeft: isDone, lines } = openCredits([three, buildLine()]);
    expect(credit()).toEqual([]);
    expect(last()).toEqual(lines.map((line) => ({ ...line, income_classification: PAIR })));
    expect(isDone()).toBe(true);
  });

  test("after parts of it has what they left", () => {
    const { credit, last, sums } = openCredits([three, buildLine()]);
    credit([{ line: 1, quantity: "1" }]);
    credit([{ line: 2, net: 33 }]);
    expect(credit()).toEqual([]);
    expect(last()).toMatchObject([
      { quantity: "2", unit: "kg", unit_price: 333 },
      { quantity: "1", unit: "piece", unit_price: 800 },
    ]);
    expect(sums()).toEqual({ net: 999 + 833, vat: 240 + 200 });
  });

  test("leaves out lines without an amount", () => {
    const { credit, last, isNothingLeft: isDone } = openCredits([buildLine({ unit_price: 0 }), three]);
    credit();
    expect(last()).toMatchObject([{ description: "Ποτήρια" }]);
    expect(isDone()).toBe(true);
  });
});

describe("a credit of part of a line", () => {
  test("keeps the unit and its price for a quantity", () => {
    const { credit, last } = openCredits([three]);
    credit([{ line: 1, quantity: "1" }]);
    expect(last()).toMatchObject([{ quantity: "1", unit: "kg", unit_price: 333 }]);
  });

  test("takes no quantity for an amount, and credits no quantity for less than its price", () => {
    const { credit, last, sums } = openCredits([three]);
    credit([{ line: 1, net: 99 }]);
    credit([{ line: 1, quantity: "2" }]);
    const [problem] = credit([{ line: 1, quantity: "1" }]);
    expect(problem).toContain("lines[0].quantity: must come to at most 2.34 euros net");
    expect(credit([{ line: 1 }])).toEqual([]);
    expect(last()).toMatchObject([{ quantity: "1", unit: "piece", unit_price: 234 }]);
    expect(sums()).toEqual({ net: 999, vat: 240 });
  });

  test("takes the cent of VAT that the other parts left", () => {
    // Of 1.07 the VAT is 0.2568, so eight parts with 0.26 each would have 2.08 instead of 2.05.
    const { credit, sums } = openCredits([buildLine({ quantity: "1", unit_price: 1000 })]);
    for (const net of [107, 107, 107, 107, 107, 107, 107, 107])
      expect(credit([{ line: 1, net }])).toEqual([]);
    expect(credit()).toEqual([]);
    expect(sums()).toEqual({ net: 1000, vat: 240 });
  });

  test.each<[string, CreditRequest[], string]>([
    ["a line that does not exist", [{ line: 2 }], "lines[0].line: must be the number of a line"],
    ["more than its quantity", [{ line: 1, quantity: "3.001" }], "lines[0].quantity: must be at most 3, "],
    ["more than its amount", [{ line: 1, net: 1000 }], "lines[0].net: must come to at most 9.99 euros net"],
    ["it twice", [{ line: 1 }, { line: 1 }], "lines[1].line: nothing of this line is left"],
    ["a quantity without an amount", [{ line: 1, quantity: "0.001" }], "lines[0].quantity: comes to less"],
  ])("refuses %s", (_what, requests, message) => {
    expect(openCredits([three]).credit(requests)).toMatchObject([expect.stringContaining(message)]);
  });

  test("refuses a part after which the rest could not be credited to the cent", () => {
    const { credit } = openCredits([buildLine({ quantity: "1", unit_price: 3 })]);
    // 24% of 0.03 is 0.01, but no lines of 0.02 and 0.01 have any VAT.
    expect(credit([{ line: 1, net: 2 }])).toMatchObject([expect.stringContaining("to the cent")]);
    expect(credit()).toEqual([]);
  });
});

describe("after credits that do not name their lines", () => {
  const others = buildLine({ quantity: "1", unit_price: 500 });

  test("a category allows only what they left of it, taken from the first lines", () => {
    const { credit, credits, last, isNothingLeft: isDone } = openCredits([three, others]);
    credits.unnamed.push({ category: "standard", net: 999, vat: 240 });
    expect(credit([{ line: 1, net: 600 }])).toMatchObject([
      expect.stringContaining("at most 5.00 euros net"),
    ]);
    expect(credit()).toEqual([]);
    expect(last()).toMatchObject([{ description: "Ποτήρια", quantity: "1", unit: "piece", unit_price: 500 }]);
    expect(isDone()).toBe(true);
  });

  test("a credit in a category that the document lacks reduces the whole", () => {
    const { credit, credits, sums } = openCredits([three]);
    credits.unnamed.push({ category: "reduced", net: 900, vat: 117 });
    expect(credit([{ line: 1, quantity: "3" }])).toMatchObject([expect.stringContaining("0.99 euros net")]);
    expect(credit()).toEqual([]);
    expect(sums().net).toBe(99);
  });

  test("nothing remains once they reach the document", () => {
    const { credits, isNothingLeft: isDone } = openCredits([three]);
    credits.unnamed.push({ category: "standard", net: 1200, vat: 288 });
    expect(isDone()).toBe(true);
  });
});

const categories = fc.constantFrom(...(Object.keys(VAT_CATEGORIES) as VatCategory[]));
const lineInputs = fc
  .record({
    quantity: fc.integer({ min: 1, max: 20_000 }).map((thousandths) => String(thousandths / 1000)),
    unit_price: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 100_000 })),
    vat_category: categories,
  })
  .map(buildLine);
/** A share of a line, as a part in a thousand of what it was, of its quantity or of its net. */
const steps = fc.array(
  fc.record({
    line: fc.nat({ max: 3 }),
    share: fc.integer({ min: 0, max: 1000 }),
    by: fc.constantFrom("quantity", "net"),
  }),
  { maxLength: 12 },
);

describe("any sequence of credits", () => {
  test("ends exactly at the original, and is never beyond it", () => {
    fc.assert(
      fc.property(fc.array(lineInputs, { minLength: 1, maxLength: 4 }), steps, (inputs, parts) => {
        const { lines, credit, sums, isNothingLeft: isDone } = openCredits(inputs);
        const whole = computeTotals(lines);
        for (const { line, share, by } of parts) {
          const quantity = String(Math.floor(Number(lines[line]?.quantity ?? 1) * share) / 1000);
          const net = Math.floor(((whole.lines[line]?.net ?? 0) * share) / 1000);
          if (net === 0 || quantity === "0") continue;
          credit([{ line: line + 1, ...(by === "net" ? { net } : { quantity }) }]);
          expect(sums().net).toBeLessThanOrEqual(whole.net);
          expect(sums().vat).toBeLessThanOrEqual(whole.vat);
        }
        if (!isDone()) expect(credit()).toEqual([]);
        expect(isDone()).toBe(true);
        expect(sums()).toEqual({ net: whole.net, vat: whole.vat });
      }),
    );
  });

  test("is never beyond the original, with credits that do not name their lines among them", () => {
    const shares = fc.array(
      fc.record({ category: categories, net: fc.nat({ max: 50_000 }), after: fc.nat({ max: 5 }) }),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(
        fc.array(lineInputs, { minLength: 1, maxLength: 4 }),
        steps,
        shares,
        (inputs, parts, unnamed) => {
          const { lines, credits, credit, sums } = openCredits(inputs);
          const whole = computeTotals(lines);
          const byHand = { net: 0, vat: 0 };
          for (const [at, { line, share }] of [...parts, { line: 0, share: 0 }].entries()) {
            for (const { category, net } of unnamed.filter(({ after }) => after === at)) {
              const [made] = computeVatShares([{ quantity: "1", unit_price: net, vat_category: category }]);
              credits.unnamed.push(made!);
              byHand.net += made!.net;
              byHand.vat += made!.vat;
            }
            const before = sums();
            const net = Math.floor(((whole.lines[line]?.net ?? 0) * share) / 1000);
            if (net > 0) credit([{ line: line + 1, net }]);
            const after = sums();
            for (const part of ["net", "vat"] as const)
              expect(after[part] - before[part]).toBeLessThanOrEqual(
                Math.max(0, whole[part] - before[part] - byHand[part]),
              );
          }
        },
      ),
    );
  });
});
