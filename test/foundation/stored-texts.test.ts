import { expect, test } from "vitest";
import { AppError, buildErrorObject, type ErrorObject } from "../../src/foundation/errors.ts";
import { textOfError, textsOfWarnings, wireError, wireWarnings } from "../../src/foundation/stored-texts.ts";
import { sameInBoth } from "../../src/foundation/text.ts";

const FAILED = { en: "The provider is unavailable", el: "Ο πάροχος δεν είναι διαθέσιμος" };

function storeAndRead(error: ErrorObject): ErrorObject {
  return wireError(JSON.parse(JSON.stringify(error)) as ErrorObject);
}

test("an error read from storage has both languages, and its JSON only English", () => {
  const read = storeAndRead(buildErrorObject("provider_unavailable", FAILED));
  expect(textOfError(read)).toEqual(FAILED);
  expect(JSON.stringify(read)).not.toMatch(/message_el|\p{Script=Greek}/u);
});

test("an error stored without Greek shows its English", () => {
  const read = storeAndRead(buildErrorObject("provider_unavailable", sameInBoth("Down")));
  expect(textOfError(read)).toEqual({ en: "Down", el: "Down" });
});

test("a thrown error has Greek when it is stored and none when it is sent", () => {
  const error = new AppError("provider_unavailable", FAILED);
  expect(error.toOutcomeError()).toMatchObject({ message: FAILED.en, message_el: FAILED.el });
  expect(error.toObject()).not.toHaveProperty("message_el");
});

test("warnings are sent line by line in English, and shown once for all their lines in both languages", () => {
  const check = { en: "check it", el: "ελέγξτε το" };
  const late = { en: "it is late", el: "είναι εκπρόθεσμο" };
  const sent = wireWarnings([{ line: 1, ...check }, { line: 2, ...late }, { line: 3, ...check }, late]);
  expect(sent).toEqual(["line 1: check it", "line 2: it is late", "line 3: check it", "it is late"]);
  expect(textsOfWarnings(sent)).toEqual([
    { en: "lines 1, 3: check it", el: "γραμμές 1, 3: ελέγξτε το" },
    { en: "line 2: it is late", el: "γραμμή 2: είναι εκπρόθεσμο" },
    late,
  ]);
});
