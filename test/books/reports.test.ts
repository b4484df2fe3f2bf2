/** The VAT and income reports over 1,800 seeded documents, recomputed from the documents themselves. */
import { beforeAll, describe, expect, test } from "vitest";
import { openAppliance } from "../../src/appliance.ts";
import { UnreadableContentsError } from "../../storage/database/errors.ts";
import { exportDocuments } from "../../src/books/export-documents.ts";
import {
  type IncomeReport,
  reportIncome,
  reportVat,
  type VatReport,
} from "../../src/books/period-reports.ts";
import { acceptDocument } from "../../src/documents/accept.ts";
import { cancelDocument } from "../../src/documents/cancel.ts";
import type { DocumentType } from "../../src/domain/canonical-document.ts";
import { createMerchant } from "../../src/merchants/merchants.ts";
import { CAUSE, openBench } from "../helpers/appliance.ts";
import {
  buildDocument,
  buildLine,
  CUSTOMERS,
  type DocumentInput,
  type LineInput,
} from "../helpers/documents.ts";
import { BOOKS, type Books, keepBooks, readBooks } from "../helpers/ledger.ts";
import { seeded } from "../helpers/seeded.ts";
import { forAllTests } from "../helpers/set-up.ts";

/** Three fifths are in the period: more than the 1,000 that are read at once. */
const DOCUMENTS = 1_800;
const PERIOD = { mode: "test", from: "2026-10-01", through: "2026-10-31" } as const;
const NORTHERN_IRISH = {
  tax_id: { country: "XI", code: "123456789" },
  name: "Example Ltd",
  address: { postal_code: "BT1 1AA", city: "Belfast" },
};
const CAUSES = [1, 3, 4, 7, 8, 11, 14, 16, 20, 24, 27, 28, 30];

const random = seeded(20_261_031);
function pick<T>(values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]!;
}

function randomLine(): LineInput {
  const vat_category = pick([
    "standard",
    "reduced",
    "super_reduced",
    "standard_island",
    "reduced_island",
    "super_reduced_island",
    "exempt",
  ] as const);
  return buildLine({
    quantity: `${1 + Math.floor(random() * 50)}.${String(Math.floor(random() * 1000)).padStart(3, "0")}`,
    unit_price: Math.floor(random() * 50_000),
    vat_category,
    ...(vat_category === "exempt" ? { vat_exemption: pick(CAUSES) } : {}),
    ...(random() < 0.2 ? { income_classification: { category: "category1_95" as const } } : {}),
  });
}

function randomDocument(): DocumentInput {
  const type: DocumentType = pick(["1.1", "2.1", "5.1", "5.2", "11.1", "11.2"]);
  const isRetail = type.startsWith("11");
  const customer = pick([CUSTOMERS.greek, CUSTOMERS.eu, CUSTOMERS.abroad, NORTHERN_IRISH]);
  return buildDocument(type, {
    // Some lie outside the period.
    issue_date: `2026-${pick(["09", "10", "10", "10", "11"])}-${pick(["01", "15", "20"])}`,
    lines: Array.from({ length: 1 + Math.floor(random() * 3) }, randomLine),
    ...(isRetail ? {} : { customer }),
    ...(type === "5.1" ? { original_marks: ["900000000000001"] } : {}),
  });
}

interface Seeded {
  merchant: string;
  document: DocumentInput;
  isCancelled: boolean;
}

const all: Seeded[] = [];
let vat: VatReport;
let income: IncomeReport;

const bench = forAllTests(openBench);
beforeAll(async () => {
  const { appliance } = bench;
  const merchants: { name: string; id: string }[] = [];
  for (const name of ["alpha", "beta", "gamma"]) {
    const body = { external_id: name, name, tax_id: "123456783", branch: merchants.length };
    merchants.push({ name, id: (await createMerchant(appliance, body, CAUSE)).id });
  }
  const drawn = Array.from({ length: DOCUMENTS }, () => {
    const branch = Math.floor(random() * merchants.length);
    const document = randomDocument();
    document.supplier = { ...document.supplier, branch };
    return { merchant: merchants[branch]!, document };
  });
  const created = await Promise.all(
    drawn.map(({ merchant, document }) =>
      acceptDocument(appliance, { merchant: merchant.id, document }, CAUSE),
    ),
  );
  await bench.settle();
  for (const [index, { merchant, document }] of drawn.entries()) {
    const isCancelled = random() < 0.02;
    if (isCancelled) await cancelDocument(appliance, created[index]!.id, CAUSE);
    all.push({ merchant: merchant.name, document, isCancelled });
  }
  vat = await reportVat(appliance, PERIOD);
  income = await reportIncome(appliance, PERIOD);
});

/** The books of what was issued in the period and not cancelled. */
function booksOf(name: string): Books {
  const counted = all.filter(({ isCancelled, merchant }) => !isCancelled && merchant === name);
  const ofPeriod = counted.filter(({ document }) => document.issue_date.startsWith("2026-10"));
  return keepBooks(
    ofPeriod.map(({ document: { type, customer, lines } }) => {
      const { country, code } = customer?.tax_id ?? { country: "GR", code: "" };
      return { type, country, code, lines };
    }),
  );
}

describe.each(["alpha", "beta", "gamma"])("the reports of merchant %s", (name) => {
  test.each(BOOKS)("have the %s that its documents add up to", (part) => {
    const of = ({ merchant }: { merchant: string }) => merchant === name;
    const reported = readBooks(vat.merchants.find(of)!, income.merchants.find(of)!);
    expect(reported[part]).toEqual(booksOf(name)[part]);
    if (part !== "taxes") expect(Object.keys(reported[part]).length).toBeGreaterThan(1);
  });

  test("list sales within the EU in the order of countries", () => {
    const { eu_sales: sales } = vat.merchants.find(({ merchant }) => merchant === name)!;
    expect(sales.map(({ country }) => country)).toEqual(["DE", "XI"]);
  });
});

test("the reports and the export of a period have the same sums", async () => {
  const exported = await exportDocuments(
    bench.appliance,
    { mode: "test", from: PERIOD.from, through: PERIOD.through, statuses: ["issued"] },
    async ({ documents, totals }) => {
      for await (const document of documents) expect(document.status).toBe("issued");
      return totals();
    },
  );
  const net = exported.by_vat.reduce((total, share) => total + share.net, 0n);
  const vatOfExport = exported.by_vat.reduce((total, share) => total + share.vat, 0n);
  expect(vat.totals).toEqual({ net, vat: vatOfExport });
  expect(income.totals).toEqual({ net });
});

test("the reports of one merchant are its part of the whole", async () => {
  const merchant = await bench.appliance.store.read.query((db) =>
    db.selectFrom("merchants").select("id").where("external_id", "=", "beta"),
  );
  const one = await reportVat(bench.appliance, { ...PERIOD, merchantId: merchant[0]!.id });
  expect(one.merchants).toEqual(vat.merchants.filter((reported) => reported.merchant === "beta"));
});

test("documents of an earlier version count the same once the program was started", async () => {
  const { store, config, log } = bench.appliance;
  await store.write(
    async (trx) => void (await trx.query((db) => db.updateTable("documents").set({ shares_json: null }))),
  );
  await expect(reportVat(bench.appliance, PERIOD)).rejects.toThrow(UnreadableContentsError);
  await (await openAppliance({ config, log })).stop(0);
  expect(await reportVat(bench.appliance, PERIOD)).toEqual(vat);
  expect(await reportIncome(bench.appliance, PERIOD)).toEqual(income);
});
