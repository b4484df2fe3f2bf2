// docs/contract.md#regime, docs/authority.md#regime
import { describe, expect, test } from "vitest";
import type { DocumentType, Payment } from "../../src/domain/canonical-document.ts";
import { checkRegime, refuseByRegime, type RegimeCheck } from "../../src/domain/regime.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { buildParsed, CUSTOMERS, type DocumentInput, MARKETS } from "../helpers/documents.ts";

const AUTHORITY = { isAuthority: true };
const LICENSED = {};

function check(
  type: DocumentType,
  overrides: Partial<DocumentInput> = {},
  {
    provider = AUTHORITY as { isAuthority?: boolean },
    regime = "" as "" | "warn" | "refuse" | "off",
    payments = [] as Payment[],
  } = {},
): RegimeCheck {
  return checkRegime(buildParsed(type, overrides), payments, provider, regime);
}

/** The first words and the subject of each warning, in both languages. */
function kinds({ warnings }: RegimeCheck): string[] {
  return warnings.map(({ en, el }) => {
    const found = [
      ["provider", "licensed provider or with", "αδειοδοτημένου παρόχου ή με"],
      ["retail", "retail receipts are issued", "αποδείξεις λιανικής εκδίδονται"],
      ["pos", "signature of the terminal", "υπογραφή του τερματικού"],
      ["cash", "paid in cash", "με μετρητά"],
    ].find(([, english, greek]) => en.includes(english!) && el.includes(greek!));
    return found?.[0] ?? en;
  });
}

describe("the warning about licensed providers", () => {
  test.each<[DocumentType, keyof typeof MARKETS, warns: boolean]>([
    ["1.1", "greek", true],
    ["2.1", "greek", true],
    ["5.1", "greek", true],
    ["5.2", "greek", true],
    ["1.1", "abroad", true],
    ["2.1", "abroad", true],
    ["5.1", "abroad", true],
    ["5.2", "abroad", true],
    ["1.1", "eu", false],
    ["2.1", "eu", false],
    ["5.1", "eu", false],
    ["5.2", "eu", false],
    ["1.1", "northern", false],
    ["2.1", "northern", true],
  ])("%s, customer %s: %s", (type, market, warns) => {
    const expected = warns ? ["provider"] : [];
    expect(kinds(check(type, { customer: MARKETS[market] }))).toEqual(expected);
    expect(kinds(check(type, { customer: MARKETS[market] }, { provider: LICENSED }))).toEqual([]);
  });

  test.each([
    ["2026-09-30", false],
    ["2026-10-01", true],
  ])("an issue date of %s: %s", (issueDate, warns) => {
    expect(check("1.1", { issue_date: issueDate }).warnings).toHaveLength(warns ? 1 : 0);
  });

  test("names the alternatives and the end of the transition", () => {
    const [warning] = check("1.1").warnings;
    for (const name of ["timologio", "myDATAapp", "31 "]) {
      expect(warning!.en).toContain(name);
      expect(warning!.el).toContain(name);
    }
    expect(warning!.en).toContain("31 December 2026");
    expect(warning!.el).toContain("31 Δεκεμβρίου 2026");
  });
});

describe("regime", () => {
  test("refuse refuses, and the warning says so", () => {
    const refused = check("5.1", {}, { regime: "refuse" });
    expect(refused.warnings[0]!.en).toContain("issuing it would be refused");
    expect(refused.warnings[0]!.el).toContain("η έκδοσή του δεν θα επιτραπεί");
    expect(() => {
      refuseByRegime(refused);
    }).toThrow(expect.objectContaining({ code: "regime_mismatch" }) as AppError);
  });

  test.each(["warn", "off"] as const)("%s refuses nothing, after the transition neither", (regime) => {
    expect(check("1.1", {}, { regime }).refusal).toBeUndefined();
    expect(check("1.1", { issue_date: "2027-01-01" }, { regime }).refusal).toBeUndefined();
  });

  test("without a setting, documents dated 2027 or later are refused, and say why", () => {
    expect(check("1.1", { issue_date: "2026-12-31" }).refusal).toBeUndefined();
    const { refusal } = check("1.1", { issue_date: "2027-01-01" });
    expect(refusal!.en).toContain("dated 2027 or later are refused");
    expect(refusal!.el).toContain("από το 2027 και μετά δεν γίνονται δεκτά");
    expect(check("1.1", { issue_date: "2027-01-01", customer: CUSTOMERS.eu }).refusal).toBeUndefined();
  });

  test("refuse refuses neither sales within the EU nor retail", () => {
    expect(check("1.1", { customer: CUSTOMERS.eu }, { regime: "refuse" }).refusal).toBeUndefined();
    expect(check("11.1", {}, { regime: "refuse" }).refusal).toBeUndefined();
  });

  test("off silences the warnings about the channel, not the one about cash", () => {
    const payments: Payment[] = [
      { method: "cash", amount: 1 },
      { method: "pos", amount: 49_999 },
    ];
    for (const type of ["1.1", "11.1"] as const)
      expect(kinds(check(type, worth(50_000), { regime: "off", payments }))).toEqual(["cash"]);
  });
});

describe("retail over the registry", () => {
  const pos: Payment = { method: "pos", amount: 1 };

  test.each(["11.1", "11.2"] as const)("%s gets a warning, and another for a payment by card", (type) => {
    expect(kinds(check(type, { issue_date: "2026-01-02" }))).toEqual(["retail"]);
    expect(kinds(check(type, {}, { payments: [pos] }))).toEqual(["retail", "pos"]);
    expect(kinds(check(type, {}, { payments: [pos], provider: LICENSED }))).toEqual([]);
  });

  test("an invoice paid by card gets neither warning", () => {
    expect(kinds(check("1.1", {}, { payments: [pos] }))).toEqual(["provider"]);
  });
});

/** A document of `gross` cents. */
function worth(gross: number): Partial<DocumentInput> {
  const line = {
    description: "Γεύμα",
    quantity: "1",
    unit_price: gross,
    vat_category: "exempt",
    vat_exemption: 27,
  };
  return { lines: [line as DocumentInput["lines"][number]] };
}

test.each([
  [49_999, "cash 49999", false],
  [50_000, "cash 50000", true],
  [50_000, "cash 25000, cash 25000", true],
  [50_000, "pos 49999, cash 1", true],
  [90_000, "pos 90000", false],
  [90_000, "pos 90000, cash 0", false],
])("of %i cents, paid as %s, with any provider: a warning about cash is %s", (gross, paid, warns) => {
  const payments = paid.split(", ").map((text): Payment => {
    const [method, amount] = text.split(" ");
    return { method: method as Payment["method"], amount: Number(amount) };
  });
  expect(kinds(check("11.1", worth(gross), { payments, provider: LICENSED }))).toEqual(warns ? ["cash"] : []);
});
