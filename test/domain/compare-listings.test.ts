/** The comparison of documents here with a provider's list, as a property, and which of two MARKs counts. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareListings, type OwnDocument } from "../../src/domain/compare-listings.ts";
import type { ListedDocument } from "../../src/domain/provider-documents.ts";
import { judgeSurplusMark } from "../../src/domain/several-marks.ts";

const totals = { net: 1000, vat: 240, gross: 1240 };

function own(place: number, isCancelled: boolean): OwnDocument {
  return {
    id: `doc_${place}`,
    phase: "issued",
    mark: markOf(place),
    uid: `UID${place}`,
    issueDate: "2026-10-01",
    series: "TIM",
    number: String(place),
    totals,
    isCancelled,
    isProviderNumbered: false,
    countingMarks: [],
  };
}

function listed(place: number, changes: Partial<ListedDocument> = {}): ListedDocument {
  return {
    mark: markOf(place),
    uid: `UID${place}`,
    reference: null,
    issueDate: "2026-10-01",
    type: "1.1",
    series: "TIM",
    number: String(place),
    totals,
    isCancelled: false,
    ...changes,
  };
}

function markOf(place: number): string {
  return String(400_000_000_000_000 + place);
}

/** A document on either side or both; null where it does not exist. */
const side = fc.option(fc.constantFrom("valid" as const, "cancelled" as const));
const world = fc.array(fc.record({ here: side, there: side, double: fc.boolean() }), { maxLength: 30 });

// docs/contract.md#reconcile
describe("comparing a random world", () => {
  test("finds exactly what is on one side only, cancelled on one side only, or there twice", () => {
    fc.assert(
      fc.property(world, (documents) => {
        const here = documents.flatMap((one, place) =>
          one.here === null ? [] : [own(place, one.here === "cancelled")],
        );
        const there = documents.flatMap((one, place) => [
          ...(one.there === null ? [] : [listed(place, { isCancelled: one.there === "cancelled" })]),
          // Lower than the document's own MARK.
          ...(one.double ? [listed(place, { mark: markOf(place - 1000) })] : []),
        ]);
        const { differences } = compareListings(here, there.toReversed(), new Set());
        const found = differences.map(({ kind, mark }) => `${kind} ${mark}`).sort();
        expect(found).toEqual(documents.flatMap(expectedOf).sort());
      }),
    );
  });

  test("takes no document for missing whose MARK another document here has", () => {
    fc.assert(
      fc.property(fc.nat(20), (count) => {
        const there = Array.from({ length: count }, (_, place) => listed(place));
        const elsewhere = new Set(there.map(({ mark }) => mark));
        expect(compareListings([], there, elsewhere)).toMatchObject({ differences: [], compared: 0 });
      }),
    );
  });
});

type Documented = typeof world extends fc.Arbitrary<(infer One)[]> ? One : never;

function expectedOf({ here, there, double }: Documented, place: number): string[] {
  const [mark, lower] = [markOf(place), markOf(place - 1000)];
  if (here === null) {
    if (there !== "valid") return double ? [`missing_here ${lower}`] : [];
    return double ? [`missing_here ${mark}`, `doubled ${lower}`] : [`missing_here ${mark}`];
  }
  const doubled = double ? [`doubled ${lower}`] : [];
  if (there === null) return [`missing_there ${mark}`, ...doubled];
  if (here === there) return doubled;
  return [there === "cancelled" ? `cancelled_there ${mark}` : `cancelled_here ${mark}`, ...doubled];
}

test("the highest MARK is never among those that can be cancelled", () => {
  const marks = fc.uniqueArray(fc.integer({ min: -500, max: 500 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(marks, fc.func(fc.boolean()), (places, isCancelled) => {
      const there = places.map((place) =>
        listed(7, { mark: markOf(place), isCancelled: isCancelled(place) }),
      );
      const { surplus } = compareListings([{ ...own(7, false), mark: there[0]!.mark }], there, new Set());
      const valid = there.filter((one) => !one.isCancelled).map(({ mark }) => mark);
      const [highest, ...lower] = valid.toSorted().toReversed();
      expect(surplus).toEqual(lower.length === 0 ? [] : [{ document: "doc_7", highest, lower }]);
    }),
  );
});

// docs/contract.md#highest-mark-wins
test.each([
  ["400000000000002", "400000000000001", "later"],
  ["400000000000001", "400000000000002", "cancelling"],
  ["1000000000000000", "999999999999999", "later"],
  ["999999999999999", "1000000000000000", "cancelling"],
  ["9223372036854775807", "9223372036854775806", "later"],
  ["9223372036854775806", "9223372036854775807", "cancelling"],
])("the MARK %s beside %s of the document is %s: MARKs are compared as numbers", (other, mark, state) => {
  expect(judgeSurplusMark(other, { mark, isCancelled: false })).toBe(state);
});
