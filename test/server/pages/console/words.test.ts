import { describe, expect, test } from "vitest";
import { speak } from "../../../../server/pages/console/language.ts";
import { WORDS } from "../../../../server/pages/console/words.ts";
import { ERROR_CODES } from "../../../../src/foundation/errors.ts";
import { DOCUMENT_TYPES } from "../../../../src/domain/document-types.ts";
import { DELIVERY_STATUSES, ENDPOINT_STATUSES } from "../../../../storage/schema.ts";
import {
  CALL_OUTCOMES,
  CONNECTION_STATUSES,
  DOCUMENT_STAGES,
  DOCUMENT_STATUSES,
  EVENT_TYPES,
} from "../../../../storage/stored-values.ts";

describe("the words", () => {
  test("name everything that the API names by a code", () => {
    const codes = [
      ...[EVENT_TYPES, DOCUMENT_TYPES, DOCUMENT_STATUSES, DOCUMENT_STAGES, CONNECTION_STATUSES].flat(),
      ...[DELIVERY_STATUSES, ENDPOINT_STATUSES, CALL_OUTCOMES].flat(),
      ...ERROR_CODES.map((code) => `error ${code}`),
    ];
    expect(codes.filter((code) => !Object.hasOwn(WORDS, code))).toEqual([]);
  });

  test("are filled from the same values in both languages", () => {
    const holes = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).toSorted();
    for (const [word, [greek, english]] of Object.entries(WORDS)) {
      expect([word, greek.length > 0, english.length > 0]).toEqual([word, true, true]);
      expect([word, holes(greek)]).toEqual([word, holes(english)]);
    }
  });

  test("are filled", () => {
    expect(speak("en")("too many", { seconds: 5 })).toContain("in 5 seconds");
    expect(speak("el")("too many", { seconds: 5 })).toContain("σε 5 δευτερόλεπτα");
  });
});
