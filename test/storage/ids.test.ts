import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createIdGenerator,
  ID_PREFIXES,
  idBodyAt,
  isId,
  LOWEST_ID_BODY,
} from "../../storage/database/ids.ts";

const NOW = Date.parse("2026-11-21T10:00:00.000Z");
const BODY = /^[0-9A-Za-z]{22}$/;

describe("isId", () => {
  const body = createIdGenerator().next(NOW);
  test.each<[text: string, fits: boolean]>([
    [`doc_${body}`, true],
    [`doc_${"z".repeat(22)}`, true],
    [`mer_${body}`, false],
    [`doc_${body}0`, false],
    [`doc_${body.slice(1)}`, false],
    [`doc_${body.slice(1)}-`, false],
    [`doc_${body}\n`, false],
    [` doc_${body}`, false],
    [`DOC_${body}`, false],
    [body, false],
    ["", false],
  ])("%j is a document id: %s", (text, fits) => expect(isId(text, "doc")).toBe(fits));

  test("accepts an id only for its own prefix", () => {
    for (const prefix of ID_PREFIXES) {
      const fitting = ID_PREFIXES.filter((other) => isId(`${prefix}_${body}`, other));
      expect(fitting).toEqual([prefix]);
    }
  });
});

describe("ids increase", () => {
  test("even if the clock jumps", () => {
    const clock = fc.array(fc.integer({ min: 0, max: 2 ** 48 - 2 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(clock, (instants) => {
        const ids = createIdGenerator();
        let last = LOWEST_ID_BODY;
        for (const ms of instants) {
          const body = ids.next(ms);
          expect(body).toMatch(BODY);
          expect(body > last).toBe(true);
          expect(ids.last()).toBe(body);
          last = body;
        }
        expect(ids.lastMs()).toBe(Math.max(...instants));
      }),
    );
  });

  test("within a millisecond, by random steps", () => {
    const ids = createIdGenerator();
    const bodies = Array.from({ length: 5000 }, () => ids.next(NOW));
    expect(bodies).toEqual(bodies.toSorted());
    expect(new Set(bodies).size).toBe(5000);
    expect(ids.lastMs()).toBe(NOW);
    // Steps of one would share all but the last characters.
    const stems = new Set(bodies.map((body) => body.slice(0, 19)));
    expect(stems.size).toBeGreaterThan(2500);
  });

  test("above the last id of another generator, even with a slower clock", () => {
    const [ahead, behind] = [createIdGenerator(), createIdGenerator()];
    const body = ahead.next(NOW);
    behind.raiseTo(body);
    expect(behind.last()).toBe(body);
    const next = behind.next(NOW - 3_600_000);
    expect(next > body).toBe(true);
    expect(behind.lastMs()).toBe(NOW);
  });

  test("after raiseTo with a lower body too", () => {
    const ids = createIdGenerator();
    const body = ids.next(NOW);
    ids.raiseTo(idBodyAt(NOW - 1));
    ids.raiseTo(LOWEST_ID_BODY);
    expect(ids.last()).toBe(body);
    expect(ids.next(NOW) > body).toBe(true);
  });
});

describe("the id range of a time range", () => {
  test("contains exactly the ids of its milliseconds", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 48 - 2 }), (ms) => {
        const body = createIdGenerator().next(ms);
        expect(body >= idBodyAt(ms)).toBe(true);
        expect(body < idBodyAt(ms + 1)).toBe(true);
      }),
    );
  });

  test("begins with the lowest id, even before 1970", () => {
    expect(idBodyAt(0)).toBe(LOWEST_ID_BODY);
    expect(idBodyAt(-1)).toBe(LOWEST_ID_BODY);
  });
});
