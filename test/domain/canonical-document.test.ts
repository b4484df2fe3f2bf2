/** The canonical document's fields and their limits (docs/contract.md#canonical-document). */
// docs/contract.md#limits: Problems in a validation_failed
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkDocumentInput, DOCUMENT_TYPES, parseDocument } from "../../src/domain/canonical-document.ts";
import { AppError, type Problem } from "../../src/foundation/errors.ts";
import { buildDocument, buildLine, changed, CUSTOMERS, type Keys, TODAY } from "../helpers/documents.ts";
import { problemLines } from "../helpers/problems.ts";

const OPTIONS = { today: TODAY, prefix: "document" };

function problemsIn(input: unknown, prefix = "document"): Problem[] {
  const checked = checkDocumentInput(input, { today: TODAY, prefix });
  return "problems" in checked ? checked.problems : checked.objections;
}

/** A foreign customer with every field. */
const FULL = buildDocument("1.1", {
  customer: { ...CUSTOMERS.eu, branch: 3 },
  lines: [
    buildLine({
      unit: "kg",
      vat_category: "exempt",
      vat_exemption: 14,
      income_classification: { category: "category1_1", type: "E3_561_005" },
    }),
  ],
  payments: [{ method: "on_credit", amount: 833 }],
});

describe("a valid document", () => {
  test.each(DOCUMENT_TYPES)("of type %s is accepted", (type) => {
    expect(problemsIn(buildDocument(type))).toEqual([]);
  });

  test("with every field is accepted unchanged", () => {
    const supplier = { ...FULL.supplier, branch: 0 };
    expect(parseDocument(FULL, OPTIONS)).toEqual({ document: { ...FULL, supplier }, objections: [] });
  });

  test("has its tax numbers normalised, and branches and units filled in", () => {
    const customer = { ...CUSTOMERS.abroad, tax_id: { country: "CH", code: " che-123.456.788 " } };
    const { document } = parseDocument(buildDocument("5.2", { customer }), OPTIONS);
    expect(document.customer).toMatchObject({ tax_id: { code: "CHE123456788" }, branch: 0 });
    expect(document.supplier.branch).toBe(0);
    expect(document.lines[0]).toMatchObject({ unit: "piece" });
  });
});

const QUANTITY = "must be a decimal string above 0, with up to 9 integer digits and 3 decimals";

// Which values of each field are refused is tested over HTTP: spec/canonical.
test.each<[keys: Keys, value: unknown, message: string]>([
  [["type"], "1.2", "must be one of 1.1, 2.1, 5.1, 5.2, 11.1, 11.2, 11.4"],
  [["currency"], "USD", "must be EUR"],
  [["supplier"], "123456783", "must be an object"],
  [["customer", "tax_id", "country"], "DEU", "must be two upper-case letters (ISO 3166-1), GR for Greece"],
  [["original_marks"], [], "must have at least 1 item"],
  [["original_marks", 0], "0123", "must be a MARK: 1 to 19 digits, the first not 0"],
  [["original_marks", 0], 400_001_234_567_890, "must be a string"],
  [["lines"], {}, "must be an array"],
  [["lines"], Array(1001).fill(buildLine()), "must have at most 1000 items"],
  ...["0", "0.000", "+1", "1.2345", "1234567890", "1.", ".5", "1,5", "1e3", " 1", "1\n", "١"].map(
    (quantity): [Keys, unknown, string] => [["lines", 0, "quantity"], quantity, QUANTITY],
  ),
  [["lines", 0, "unit"], "box", "must be one of piece, kg, litre, metre, square_metre, cubic_metre"],
  [["toString"], 1, "is not a known field"],
  [["lines", 0, "income_classification", "id"], 1, "is not a known field"],
])("an invalid value is reported with its path and the valid values: %j = %j", (keys, value, message) => {
  const base = keys[0] === "original_marks" ? buildDocument("5.1") : FULL;
  const path = keys.reduce<string>(
    (text, key) => text + (typeof key === "number" ? `[${key}]` : `.${key}`),
    "document",
  );
  expect(problemLines(problemsIn(changed(base, keys, value)))).toEqual([`${path}: ${message}`]);
});

describe("reports every problem", () => {
  test("of the shape and of the rules between fields together", () => {
    const input = changed(
      changed(buildDocument("1.1"), ["customer"], undefined),
      ["lines", 0, "description"],
      "",
    );
    expect(problemsIn(input).map(({ path }) => path)).toEqual([
      "document.lines[0].description",
      "document.customer",
    ]);
  });

  test("of several lines, each by its own path", () => {
    const lines = [buildLine(), buildLine({ quantity: "none" }), buildLine({ unit_price: 0.5 })];
    const { totals } = buildDocument("11.1");
    const paths = problemsIn(changed(changed(FULL, ["lines"], lines), ["totals"], totals)).map(
      ({ path }) => path,
    );
    expect(paths).toEqual(["document.lines[1].quantity", "document.lines[2].unit_price"]);
  });

  test("without a prefix where the document is the whole body", () => {
    expect(problemLines(problemsIn(changed(FULL, ["currency"], "USD"), ""))).toEqual([
      "currency: must be EUR",
    ]);
  });

  test("in one error, at most twenty by name", () => {
    const lines = Array.from({ length: 25 }, () => buildLine({ quantity: "none" }));
    const thrown = (() => {
      try {
        return parseDocument(changed(FULL, ["lines"], lines), OPTIONS);
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toBeInstanceOf(AppError);
    expect(thrown).toMatchObject({ code: "validation_failed", retryable: false });
    const parts = (thrown as AppError).message.split("; ");
    expect(parts).toHaveLength(21);
    expect(parts[0]).toBe(`document.lines[0].quantity: ${QUANTITY}`);
    expect(parts.at(-1)).toBe("and 5 more");
  });
});

/** The paths of every value in the document that is not an object or array. */
function leavesOf(value: unknown, keys: Keys = []): Keys[] {
  if (typeof value !== "object" || value === null) return [keys];
  return Object.entries(value).flatMap(([key, child]) =>
    leavesOf(child, [...keys, Array.isArray(value) ? Number(key) : key]),
  );
}

test("a message never contains the rejected value, and no input makes the check fail", () => {
  const leaves = leavesOf(FULL);
  const canary = fc.oneof(
    fc.stringMatching(/^[a-zά-ώ ;:]{0,20}Ω7Q9Ω[a-z]{0,20}$/).map((value) => ({ value, trace: "Ω7Q9Ω" })),
    fc.integer({ min: 1, max: 10 ** 6 }).map((n) => ({ value: -n - 0.618_034, trace: "618034" })),
    fc.constantFrom({ value: 4_444_444_444_444_444, trace: "4444444444444" }),
    fc.constantFrom({ value: { secret: "Ω7Q9Ω" }, trace: "Ω7Q9Ω" }, { value: ["Ω7Q9Ω"], trace: "Ω7Q9Ω" }),
  );
  let refused = 0;
  fc.assert(
    fc.property(fc.constantFrom(...leaves), canary, (keys, { value, trace }) => {
      const problems = problemsIn(changed(FULL, keys, value));
      if (problems.length > 0) refused += 1;
      for (const line of problemLines(problems)) expect(line).not.toContain(trace);
    }),
    { numRuns: 600 },
  );
  // Only names and similar fields may contain such a text.
  expect(refused).toBeGreaterThan(300);
});

test("any input is either accepted or rejected, without an exception", () => {
  fc.assert(
    fc.property(fc.constantFrom(...leavesOf(FULL)), fc.anything(), (keys, value) => {
      const checked = checkDocumentInput(changed(FULL, keys, value), OPTIONS);
      expect("document" in checked || checked.problems.length > 0).toBe(true);
    }),
    { numRuns: 600 },
  );
});
