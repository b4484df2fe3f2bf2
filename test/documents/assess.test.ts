/** What accepting, dry run and preview say about a document, and its warnings (docs/paper.md#contents). */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Provider } from "../../storage/stored-values.ts";
import { acceptDocument, type AcceptVerdict, checkDocument } from "../../src/documents/accept.ts";
import { getDocument } from "../../src/documents/list-documents.ts";
import { examineDocument } from "../../src/documents/preview.ts";
import { DOCUMENT_TYPES, type DocumentType } from "../../src/domain/canonical-document.ts";
import type { AppError } from "../../src/foundation/errors.ts";
import { putSettings } from "../../src/merchants/settings.ts";
import { CAUSE, openBench } from "../helpers/appliance.ts";
import {
  buildDocument,
  buildLine,
  buildParsed,
  CUSTOMERS,
  type DocumentInput,
  isRetail,
} from "../helpers/documents.ts";
import { warnAboutEuNumber } from "../../src/documents/assess.ts";
import { findUnprintable, isPrintable } from "../../src/documents/notes.ts";
import { loadFonts } from "../../src/paper/render-pdf.ts";

/** The day on the bench's clock, because provider_a accepts no other issue date. */
const TODAY = "2026-11-21";
const PROVIDERS: readonly Provider[] = ["sandbox", "registry_direct", "provider_a"];
const OVERRIDES = Object.fromEntries(
  DOCUMENT_TYPES.map((type) => [type, { category: "category1_2", type: "E3_561_001" }]),
);

async function openShop(regime: "warn" | "refuse" | "off") {
  const bench = await openBench({ env: { FISCAL_PROVIDERS__REGISTRY_DIRECT__REGIME: regime } });
  const merchant = await bench.makeMerchant();
  const original = buildDocument("1.1", { issue_date: TODAY });
  const id = await bench.acceptFor(merchant, { document: original });
  await bench.settle();
  const { mark } = await bench.see(id);
  for (const provider of PROVIDERS.filter((name) => name !== "sandbox")) {
    await bench.storeConnection({ merchant, provider });
  }
  /** The MARK is of an issued invoice of 10.33 EUR. */
  return { bench, merchant, mark: mark! };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

/** Documents that cause every kind of warning, alone and together. */
function documentsOf(type: DocumentType, mark: string): DocumentInput[] {
  const northernIreland = { ...CUSTOMERS.eu, tax_id: { country: "XI", code: "XI123456789" } };
  const customers = isRetail(type) ? [undefined] : [...Object.values(CUSTOMERS), northernIreland];
  const lines = [buildLine({ quantity: "9" }), buildLine({ unit_price: 0 })];
  const classified = buildLine({ income_classification: { category: "category1_5", type: "E3_562" } });
  const originals = type === "5.1" ? [{ original_marks: [mark] }, {}] : [{}];
  return customers.flatMap((customer) =>
    [[buildLine()], lines, [classified], [...lines, classified]].flatMap((ofDocument) =>
      originals.map((original) =>
        buildDocument(type, {
          issue_date: TODAY,
          lines: ofDocument,
          ...(customer === undefined ? {} : { customer }),
          ...original,
        }),
      ),
    ),
  );
}

type Outcome = AcceptVerdict["classification"] | { refusal: string };

async function outcomeOf(run: Promise<AcceptVerdict["classification"]>): Promise<Outcome> {
  return run.catch((error: AppError) => ({ refusal: error.code }));
}

const shops = new Map<string, Shop>();

beforeAll(async () => {
  for (const regime of ["warn", "refuse", "off"] as const) shops.set(regime, await openShop(regime));
});

afterAll(async () => {
  for (const { bench } of shops.values()) await bench.close();
});

describe.each(["warn", "refuse", "off"])("with regime = %s", (regime) => {
  describe.each([false, true])("and classification in the merchant's settings: %s", (hasOverrides) => {
    beforeAll(async () => {
      const { bench, merchant } = shops.get(regime)!;
      const settings = { classification: hasOverrides ? OVERRIDES : {} };
      await putSettings(bench.appliance, merchant, settings, CAUSE.mode);
    });

    test.each(PROVIDERS.flatMap((provider) => DOCUMENT_TYPES.map((type) => [provider, type] as const)))(
      "accepting, dry run and preview agree for %s and type %s",
      async (provider, type) => {
        const { bench, merchant, mark } = shops.get(regime)!;
        const { appliance } = bench;
        for (const document of documentsOf(type, mark)) {
          const body = { merchant, provider, document };
          const dryRun = await outcomeOf(
            checkDocument(appliance, body, "test").then(({ classification }) => classification),
          );
          const preview = await outcomeOf(
            examineDocument(appliance, document, { mode: "test", merchant, provider }).then(
              ({ object }) => object.classification,
            ),
          );
          // Last, because an accepted credit note counts when the next one is checked.
          const accepted = await outcomeOf(
            acceptDocument(appliance, body, CAUSE).then(async ({ id }) => {
              const { source, warnings } = (await getDocument(appliance, "test", id)).classification;
              return { source, warnings };
            }),
          );
          expect(dryRun).toEqual(accepted);
          if ("refusal" in accepted && accepted.refusal === "regime_mismatch") {
            expect(regime).toBe("refuse");
            expect(preview).toMatchObject({
              warnings: expect.arrayContaining([expect.stringContaining("issuing it would be refused")]),
            });
          } else expect(preview).toEqual(accepted);
        }
      },
    );
  });
});

test("warnings come in the order classification, regime, the authority's rules; none is about payments or paper", async () => {
  const { bench, merchant } = shops.get("warn")!;
  await putSettings(bench.appliance, merchant, { classification: {} }, CAUSE.mode);
  const document = buildDocument("1.1", { issue_date: TODAY, lines: [buildLine({ unit_price: 0 })] });
  const { object } = await examineDocument(bench.appliance, document, {
    mode: "test",
    merchant,
    provider: "registry_direct",
  });
  expect(object.classification.warnings).toEqual([
    expect.stringMatching(/^line 1: took the default classification/),
    expect.stringContaining("must be issued through a licensed provider"),
    expect.stringMatching(/^line 1: the net amount is 0/),
  ]);
});

test("an original that is named twice counts once", async () => {
  const { bench, merchant, mark } = shops.get("warn")!;
  const warningsOf = async (marks: string[], customer: DocumentInput["customer"]) => {
    const document = buildDocument("5.1", { issue_date: TODAY, original_marks: marks, customer });
    const { object } = await examineDocument(bench.appliance, document, {
      mode: "test",
      merchant,
      provider: "sandbox",
    });
    return object.classification.warnings;
  };
  const REPEATED = "original_marks[1]: repeats original_marks[0]";
  for (const customer of [CUSTOMERS.greek, CUSTOMERS.eu]) {
    const once = await warningsOf([mark], customer);
    const twice = await warningsOf([mark, mark], customer);
    expect(twice).toContain(REPEATED);
    expect(twice.filter((warning) => warning !== REPEATED)).toEqual(once);
  }
});

// docs/contract.md#numbers-of-eu-customers

const exempt = (cause: number) => [buildLine({ vat_category: "exempt", vat_exemption: cause })];

function warns(country: string, code: string, cause = 14): boolean {
  const customer = { ...CUSTOMERS.eu, tax_id: { country, code } };
  const warnings = warnAboutEuNumber(buildParsed("1.1", { lines: exempt(cause), customer }));
  for (const { en, el } of warnings) expect(`${en} ${el}`).not.toContain(code);
  return warnings.length > 0;
}

test.each([
  ["DE", "129273398", false],
  ["DE", "DE129273398", true],
  ["DE", "12927339", true],
  ["FR", "40303265045", false],
  ["FR", "12", true],
  ["IE", "6388047V", false],
  ["NL", "004495445B01", false],
  ["BG", "123", true],
  ["BE", "0428759497", false],
  ["BE", "1000000029", false],
  ["BE", "2000000029", true],
  ["IE", "1X23456T", false],
  ["FR", "FR123456789", false],
  ["XI", "110305878", false],
  ["XI", "11030587", true],
])("a number of %s, %s, without VAT: a warning is %s", (country, code, expected) => {
  expect(warns(country, code)).toBe(expected);
});

test("a number that no exemption depends on has any form", () => {
  expect(warns("DE", "12", 16)).toBe(false);
  const sale = buildParsed("1.1", { customer: { ...CUSTOMERS.eu, tax_id: { country: "DE", code: "12" } } });
  expect(warnAboutEuNumber(sale)).toEqual([]);
  expect(warns("US", "12")).toBe(false);
});

/** Not drawn, or not assigned in this version of Unicode. */
const NOT_DRAWN = /[\p{Default_Ignorable_Code_Point}\s\p{Cc}\p{Cn}\p{Co}\p{Cs}]/u;

test("what counts as printable is exactly what both faces of the font have", async () => {
  const { regular, bold } = await loadFonts();
  const wrong: string[] = [];
  for (let codePoint = 0x21; codePoint <= 0x10ffff; codePoint += 1) {
    const character = String.fromCodePoint(codePoint);
    // Some characters are only ever drawn as their composed form.
    if (NOT_DRAWN.test(character) || character.normalize("NFC") !== character) continue;
    const isShown = regular.hasGlyphForCodePoint(codePoint) && bold.hasGlyphForCodePoint(codePoint);
    if (isPrintable(character) !== isShown) wrong.push(codePoint.toString(16));
  }
  expect(wrong).toEqual([]);
});

test.each([
  "Ωμέγα ΐ",
  "Zażółć gęślą jaźń",
  "Şişli İstanbul ğ",
  "Общество Щит",
  "Trần Đức",
  "€ ½ № ™",
  "a\tb\nc",
])("%j is printable", (text) => expect(isPrintable(text)).toBe(true));

test("one warning names the first fields and not their text", () => {
  const customer = {
    ...CUSTOMERS.greek,
    name: "漢字",
    address: { postal_code: "10563", city: "עברית" },
  };
  const lines = ["Καφές", "😀", "→", "✓", "漢字"].map((description) => buildLine({ description }));
  expect(findUnprintable(buildParsed("1.1", { customer, lines })).map(({ en }) => en)).toEqual([
    "customer.name, customer.address, lines[1].description, lines[2].description, lines[3].description, …: characters that the PDF's font lacks; it shows � instead",
  ]);
  expect(findUnprintable(buildParsed("1.1"))).toEqual([]);
});
