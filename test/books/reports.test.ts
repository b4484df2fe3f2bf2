/** The VAT and income reports over 2,000 seeded documents, recomputed here from the documents themselves. */
import { beforeAll, describe, expect, test } from "vitest";
import { openAppliance } from "../../src/appliance.ts";
import { UnreadableContentsError } from "../../storage/database/errors.ts";
import { exportDocuments } from "../../src/books/export-documents.ts";
import { type IncomeReport, reportIncome } from "../../src/books/income-report.ts";
import { reportVat, type VatReport } from "../../src/books/vat-report.ts";
import { acceptDocument } from "../../src/documents/accept.ts";
import { cancelDocument } from "../../src/documents/cancel.ts";
import type { DocumentType } from "../../src/domain/canonical-document.ts";
import { createMerchant } from "../../src/merchants/merchants.ts";
import { openBench } from "../helpers/appliance.ts";
import {
  buildDocument,
  buildLine,
  CUSTOMERS,
  type DocumentInput,
  type LineInput,
} from "../helpers/documents.ts";
import { seeded } from "../helpers/seeded.ts";
import { forAllTests } from "../helpers/set-up.ts";

const DOCUMENTS = 2_000;
const AT_ONCE = 1000;
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
  const cause = { mode: "test", requestId: null, idempotencyKey: null } as const;
  const merchants: { name: string; id: string }[] = [];
  for (const name of ["alpha", "beta", "gamma"]) {
    const body = { external_id: name, name, tax_id: "123456783", branch: merchants.length };
    merchants.push({ name, id: (await createMerchant(appliance, body, cause)).id });
  }
  for (let done = 0; done < DOCUMENTS; done += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, () => {
      const branch = Math.floor(random() * merchants.length);
      const document = randomDocument();
      document.supplier = { ...document.supplier, branch };
      return { merchant: merchants[branch]!, document };
    });
    const created = await Promise.all(
      batch.map(({ merchant, document }) =>
        acceptDocument(appliance, { merchant: merchant.id, document }, cause),
      ),
    );
    await bench.settle();
    for (const [index, { merchant, document }] of batch.entries()) {
      const isCancelled = random() < 0.02;
      if (isCancelled) await cancelDocument(appliance, created[index]!.id, cause);
      all.push({ merchant: merchant.name, document, isCancelled });
    }
  }
  vat = await reportVat(appliance, PERIOD);
  income = await reportIncome(appliance, PERIOD);
});

/** Net and VAT of a line in cents, by decimal arithmetic of its own. */
function amountsOf(line: LineInput): { net: bigint; vat: bigint } {
  const [whole = "0", decimals = ""] = line.quantity.split(".");
  const thousandths = BigInt(whole + decimals.padEnd(3, "0"));
  const net = (thousandths * BigInt(line.unit_price) + 500n) / 1000n;
  const rates: Record<string, bigint> = {
    standard: 24n,
    reduced: 13n,
    super_reduced: 6n,
    standard_island: 17n,
    reduced_island: 9n,
    super_reduced_island: 4n,
    exempt: 0n,
  };
  return { net, vat: (net * rates[line.vat_category]! + 50n) / 100n };
}

interface Counted {
  merchant: string;
  document: DocumentInput;
  line: LineInput;
  net: bigint;
  vat: bigint;
}

function countedLines(): Counted[] {
  return all
    .filter(({ isCancelled, document }) => !isCancelled && document.issue_date.startsWith("2026-10"))
    .flatMap(({ merchant, document }) => {
      const sign = document.type.startsWith("5") ? -1n : 1n;
      return document.lines.map((line) => {
        const { net, vat: vatOfLine } = amountsOf(line);
        return { merchant, document, line, net: sign * net, vat: sign * vatOfLine };
      });
    });
}

function sumBy<Key extends string>(
  lines: readonly Counted[],
  keyOf: (line: Counted) => Key | undefined,
  amount: (line: Counted) => bigint,
): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const line of lines) {
    const key = keyOf(line);
    if (key !== undefined) sums[key] = (sums[key] ?? 0n) + amount(line);
  }
  return sums;
}

function regionOf({ type, customer }: DocumentInput): string {
  const country = customer?.tax_id.country ?? "GR";
  if (country === "GR") return "greece";
  if (country === "XI") return type === "2.1" ? "third_country" : "eu";
  return country === "DE" ? "eu" : "third_country";
}

/** The box of a line's net amount, by the table in docs/authority.md#vat-return-boxes. */
function boxOf({ line, document }: Counted): string | undefined {
  const taxed: Record<string, string> = {
    reduced: "301",
    super_reduced: "302",
    standard: "303",
    reduced_island: "304",
    super_reduced_island: "305",
    standard_island: "306",
  };
  const cause = line.vat_exemption;
  if (cause === undefined) return taxed[line.vat_category];
  const isEu = regionOf(document) === "eu";
  if (cause === 14) return isEu ? "342" : "349";
  if (cause === 4) return isEu ? "345" : "349";
  if ([8, 11, 28].includes(cause)) return "348";
  if ([3, 16].includes(cause)) return "349";
  if ([7, 24].includes(cause)) return "310";
  return undefined;
}

describe.each(["alpha", "beta", "gamma"])("the reports of merchant %s", (name) => {
  const lines = () => countedLines().filter(({ merchant }) => merchant === name);
  const reported = () => vat.merchants.find(({ merchant }) => merchant === name)!;

  test("have the net amount and VAT of every rate, exemption cause and region", () => {
    const key = ({ line, document }: Counted) =>
      `${line.vat_category} ${line.vat_exemption ?? null} ${regionOf(document)}`;
    const rows = reported().rows;
    const ofReport = (amount: "net" | "vat") =>
      Object.fromEntries(
        rows.map((row) => [`${row.vat_category} ${row.exemption} ${row.region}`, row[amount]]),
      );
    expect(ofReport("net")).toEqual(sumBy(lines(), key, ({ net }) => net));
    expect(ofReport("vat")).toEqual(sumBy(lines(), key, (line) => line.vat));
  });

  test("fill the boxes of the VAT return", () => {
    const { boxes } = reported();
    const net = sumBy(lines(), boxOf, (line) => line.net);
    const taxedNet = ["301", "302", "303", "304", "305", "306"] as const;
    for (const box of [...taxedNet, "310", "342", "345", "348", "349"] as const)
      expect([box, boxes[box]]).toEqual([box, net[box] ?? 0n]);
    const vatOf = sumBy(
      lines(),
      (line) => (line.vat === 0n ? undefined : boxOf(line)),
      (line) => line.vat,
    );
    for (const box of taxedNet) {
      const vatBox = String(Number(box) + 30) as "331";
      expect([vatBox, boxes[vatBox]]).toEqual([vatBox, vatOf[box] ?? 0n]);
    }
    const sum = (from: Record<string, bigint>) =>
      Object.values(from).reduce((total, value) => total + value, 0n);
    expect(boxes["307"]).toBe(taxedNet.reduce((total, box) => total + (net[box] ?? 0n), 0n));
    expect(boxes["311"]).toBe(sum(net));
    expect(boxes["337"]).toBe(sum(vatOf));
  });

  test("list sales within the EU by customer", () => {
    const expected = sumBy(
      lines(),
      (line) =>
        ["342", "345"].includes(boxOf(line) ?? "") ? line.document.customer!.tax_id.country : undefined,
      ({ net }) => net,
    );
    const kinds = (of: string) =>
      sumBy(
        lines(),
        (line) => (boxOf(line) === of ? line.document.customer!.tax_id.country : undefined),
        ({ net }) => net,
      );
    const [goods, services] = [kinds("342"), kinds("345")];
    const sales = reported().eu_sales;
    for (const sale of sales) {
      expect(sale.goods).toBe(goods[sale.country] ?? 0n);
      expect(sale.services).toBe(services[sale.country] ?? 0n);
    }
    expect(sales.map(({ country }) => country)).toEqual(["DE", "XI"]);
    expect(Object.fromEntries(sales.map(({ country, net }) => [country, net]))).toEqual(expected);
  });

  test("have the net amount of every classification pair", () => {
    const byCategory = (pairs: readonly { category: string; net: bigint }[]) => {
      const sums: Record<string, bigint> = {};
      for (const { category, net } of pairs) sums[category] = (sums[category] ?? 0n) + net;
      return sums;
    };
    const expected = sumBy(
      lines(),
      ({ line, document }) =>
        line.income_classification?.category ??
        (document.type.startsWith("2") || document.type === "11.2" ? "category1_3" : "category1_1"),
      ({ net }) => net,
    );
    const { rows } = income.merchants.find(({ merchant }) => merchant === name)!;
    expect(byCategory(rows)).toEqual(expected);
    const retail = sumBy(
      lines(),
      ({ line, document }) =>
        line.income_classification === undefined && document.type.startsWith("11") ? "E3_561_003" : undefined,
      ({ net }) => net,
    );
    expect(rows.filter(({ type }) => type === "E3_561_003").reduce((total, { net }) => total + net, 0n)).toBe(
      retail["E3_561_003"],
    );
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
