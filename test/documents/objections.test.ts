/** Who refuses a document because of a rule beyond the specification, and who only warns (docs/contract.md#plain-sandbox). */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Mode, Provider } from "../../storage/stored-values.ts";
import { acceptDocument, checkDocument } from "../../src/documents/accept.ts";
import { getDocument } from "../../src/documents/list-documents.ts";
import { examineDocument } from "../../src/documents/preview.ts";
import { RULE_NAMES, type RuleName } from "../../src/domain/routing.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { type Bench, openBench } from "../helpers/appliance.ts";
import {
  buildDocument,
  buildLine,
  CUSTOMERS,
  type DocumentInput,
  SUPPLIER,
  TODAY,
} from "../helpers/documents.ts";

const TOMORROW = "2026-11-22";
const OTHER_SUPPLIER = "094014201";
const MARK = "400001234567890";
const LARGE_MARK = "9".repeat(19);
/** With VAT the gross has 16 digits: valid in the specification, but not in the authority's schema. */
const LARGE = [
  buildLine({ quantity: "9000", unit_price: 100_000_000_000 }),
  buildLine({ quantity: "1", unit_price: 1 }),
];
const abroad = (country: string) => ({ ...CUSTOMERS.abroad, tax_id: { country, code: "ABC123" } });

interface Case {
  rule: RuleName;
  /** What of the document breaks the rule. */
  changes: Partial<DocumentInput>;
  /** What the refusal says, without the prefix `document.`. */
  says: string;
}

const taxId = (code: string) => ({ tax_id: { country: "GR", code } });
const NO_CODE =
  "is a country without a code in the authority's schema; the authority would refuse the document (101)";

const CASES: readonly Case[] = (
  [
    ["future_date", { issue_date: TOMORROW }, "issue_date: must not be after today in Athens"],
    [
      "other_supplier",
      { supplier: taxId(OTHER_SUPPLIER) },
      "supplier.tax_id.code: must be the merchant's tax number; issue through the merchant that has this number",
    ],
    ["own_customer", { customer: taxId(SUPPLIER) }, "customer.tax_id.code: must differ from the supplier's"],
    ["repeated_mark", { original_marks: [MARK, "1", MARK] }, "original_marks[2]: repeats original_marks[0]"],
    [
      "payments_differ",
      { payments: [{ method: "pos", amount: 1_250_000_000_000_000 }] },
      "payments: must add up to the gross total, 1033",
    ],
    ...["BQ", "CW", "SS", "SX"].map(
      (country) =>
        ["provider_format", { customer: abroad(country) }, `customer.tax_id.country: ${NO_CODE}`] as const,
    ),
    [
      "provider_format",
      { original_marks: [LARGE_MARK] },
      "original_marks[0]: must be at most 9223372036854775807: the authority has no larger MARKs and refuses them (101)",
    ],
    [
      "provider_format",
      { lines: LARGE },
      "totals.gross: has more than the 15 digits that the authority's schema allows (101); split the document",
    ],
  ] satisfies (readonly [RuleName, Partial<DocumentInput>, string])[]
).map(([rule, changes, says]) => ({ rule, changes, says }));

/** Cases with the same part cannot be combined. */
function partOf({ changes }: Case): string {
  const [part = ""] = Object.keys(changes);
  return part === "supplier" || part === "customer" ? "parties" : part;
}

interface Destination {
  name: string;
  mode: Mode;
  provider: Provider;
  /** Whether requests name the provider. */
  isRequested: boolean;
  isStrict: boolean;
}

const SANDBOX = { mode: "test", provider: "sandbox", isRequested: true, isStrict: false } as const;
const REGISTRY = { ...SANDBOX, provider: "registry_direct" } as const;
const DESTINATIONS: readonly Destination[] = [
  { ...SANDBOX, name: "the plain sandbox" },
  { ...SANDBOX, name: "the plain sandbox by default", isRequested: false },
  { ...SANDBOX, name: "the strict sandbox", isStrict: true },
  { ...REGISTRY, name: "the registry in test mode" },
  { ...REGISTRY, name: "the registry in live mode", mode: "live", isRequested: false },
];

/** By destination; those of the registry are connected to it. */
const merchants = new Map<string, { bench: Bench; merchant: string }>();

async function open(isStrict: boolean): Promise<Bench> {
  const env = { FISCAL_SANDBOX__STRICT: String(isStrict), FISCAL_PROVIDERS__REGISTRY_DIRECT__REGIME: "off" };
  const bench = await openBench({ env });
  for (const destination of DESTINATIONS.filter((one) => one.isStrict === isStrict)) {
    const merchant = await bench.makeMerchant(destination.name);
    merchants.set(destination.name, { bench, merchant });
    if (destination.provider === "sandbox") continue;
    await bench.storeConnection({ merchant, provider: destination.provider, mode: destination.mode });
  }
  return bench;
}

let benches: Bench[];
beforeAll(async () => {
  benches = [await open(false), await open(true)];
});
afterAll(() => Promise.all(benches.map((bench) => bench.close())));

type Outcome = { warnings: string[] } | { refusal: string };

async function outcomeOf(run: Promise<{ classification: { warnings: string[] } }>): Promise<Outcome> {
  try {
    return { warnings: (await run).classification.warnings };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refusal: `${error.code} ${error.message}` };
  }
}

const CLASSIFIED = { income_classification: { category: "category1_1", type: "E3_561_001" } } as const;

/** A document that breaks only the rules of `cases`. */
function documentOf(cases: readonly Case[]): DocumentInput {
  const changes: Partial<DocumentInput> = Object.assign({}, ...cases.map((one) => one.changes));
  const lines = (changes.lines ?? [buildLine()]).map((line) => ({ ...line, ...CLASSIFIED }));
  const type = changes.original_marks === undefined ? "5.2" : "5.1";
  return buildDocument(type, { issue_date: TODAY, ...changes, lines });
}

/** Accepting (with a dry run) and preview of the document at the destination. */
async function outcomesAt(destination: Destination, document: DocumentInput) {
  const { mode, provider, isRequested } = destination;
  const { bench, merchant } = merchants.get(destination.name)!;
  const { appliance } = bench;
  const requested = isRequested ? { provider } : {};
  const body = { merchant, ...requested, document };
  const cause = { mode, requestId: null, idempotencyKey: null };
  const [dryRun, preview, issuing] = [
    await outcomeOf(checkDocument(appliance, body, mode)),
    await outcomeOf(
      examineDocument(appliance, document, { mode, merchant, ...requested }).then(({ object }) => object),
    ),
    await outcomeOf(
      acceptDocument(appliance, body, cause).then(({ id }) => getDocument(appliance, mode, id)),
    ),
  ];
  expect(dryRun).toEqual(issuing);
  return { issuing, preview };
}

test("every rule has a case", () => {
  expect(new Set(CASES.map(({ rule }) => rule))).toEqual(new Set(RULE_NAMES));
});

/** Whether preview knows what the rule is about. */
const isKnownToPreview = ({ rule }: Case) => rule !== "other_supplier";

describe.each(DESTINATIONS)("$name", (destination) => {
  const isPlain = destination.provider === "sandbox" && !destination.isStrict;
  const expected = (says: string | undefined): Outcome => {
    if (says === undefined) return { warnings: [] };
    return isPlain ? { warnings: [says] } : { refusal: `validation_failed ${says}` };
  };

  test.each(CASES)(`${isPlain ? "warns about" : "refuses"} $rule: $changes`, async (broken) => {
    const { issuing, preview } = await outcomesAt(destination, documentOf([broken]));
    expect(issuing).toEqual(expected(`document.${broken.says}`));
    expect(preview).toEqual(expected(isKnownToPreview(broken) ? broken.says : undefined));
  });

  test("does so whatever else the document breaks", async () => {
    const some = fc
      .shuffledSubarray([...CASES], { minLength: 1 })
      .map((cases) =>
        cases.filter((one, at) => cases.findIndex((other) => partOf(other) === partOf(one)) === at),
      );
    await fc.assert(
      fc.asyncProperty(some, async (cases) => {
        const { issuing, preview } = await outcomesAt(destination, documentOf(cases));
        const both: [Outcome, readonly Case[]][] = [
          [issuing, cases],
          [preview, cases.filter(isKnownToPreview)],
        ];
        for (const [outcome, known] of both) {
          if (isPlain || known.length === 0)
            expect("warnings" in outcome && outcome.warnings.length).toBeGreaterThanOrEqual(known.length);
          else expect(outcome).toMatchObject({ refusal: expect.stringMatching(/^validation_failed /) });
        }
      }),
      { numRuns: 15 },
    );
  });

  test("refuses what the specification refuses, and then lists everything that is wrong", async () => {
    const document = documentOf(CASES.filter(({ rule }) => rule === "future_date"));
    const broken = { ...document, totals: { ...document.totals, vat: 1 } };
    const { issuing } = await outcomesAt(destination, broken);
    expect(issuing).toEqual({
      refusal:
        "validation_failed document.issue_date: must not be after today in Athens; " +
        "document.totals.vat: must be 200, which is what the lines add up to",
    });
  });
});
