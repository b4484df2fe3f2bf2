import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { signedIn, textOf, expectPage } from "../helpers/console.ts";
import { buildDocument } from "../helpers/documents.ts";
import { openServer } from "../helpers/http.ts";
import { forEachTest } from "../helpers/set-up.ts";

const server = forEachTest(openServer);
const visitor = forEachTest(() => signedIn(server));

/** Issues an invoice of 8.33 with 2.00 VAT at 24 % on `day`. */
async function issue(day: string, type: "1.1" | "5.2" = "1.1"): Promise<string> {
  return (await server.issued({ document: buildDocument(type, { issue_date: day }) })).id;
}

const NOVEMBER = "from=2026-11-01&to=2026-11-30";

describe("the page of reports", () => {
  test("adds up the issued documents of the current quarter by rate and month", async () => {
    await issue("2026-09-30");
    await issue("2026-10-15");
    await issue("2026-11-02");
    const cancelled = await issue("2026-11-03");
    await server.post(`/api/v1/documents/${cancelled}/cancel`, {});
    await issue("2026-11-04", "5.2");
    const page = await visitor.get("/console/reports");
    const text = textOf(page);
    expect(text).toContain("24% Greece €8.33 €2.00");
    expect(text).toContain("303 €8.33 307 €8.33 311 €8.33 333 €2.00");
    expect(text).toContain("€2.00 in total; the most: €2.00 (Oct 2026).");
    // Newest first; December has no documents yet.
    expect(text).toContain("Dec 2026 €0.00 €0.00 Nov 2026 €0.00 €0.00 Oct 2026 €2.00 €2.00");
    expect(page.html).toMatch(/value="2026-10-01"[\s\S]*value="2026-12-31"/);
  });

  test("names every month and rate of the chart for screen readers", async () => {
    await issue("2026-11-02");
    const { html } = await visitor.get(`/console/reports?${NOVEMBER}`);
    expect(html).toContain("<title>Nov 2026, 24 %: €2.00</title>");
    expect(html.match(/<title>Nov 2026/g)).toHaveLength(1);
  });

  test("can be limited to a merchant, and keeps the choice in its links", async () => {
    await issue("2026-11-02");
    const merchant = await server.post("/api/v1/merchants", {
      external_id: "other",
      name: "Other",
      tax_id: "094012834",
    });
    const query = `${NOVEMBER}&merchant=${merchant.body.data.id}`;
    expect((await visitor.get(`/console/reports?${query}`)).html).toContain(
      "No issued documents in this period.",
    );
    const mine = await visitor.get(`/console/reports?${NOVEMBER}&merchant=${server.merchant}`);
    expect(mine.html).toContain(
      `/console/reports?from=2026-10-01&#38;to=2026-10-31&#38;merchant=${server.merchant}`,
    );
    expect(mine.html).toContain(`<input type="hidden" name="merchant" value="${server.merchant}">`);
    await visitor.post("/console/merchant", { shop: merchant.body.data.id });
    expect((await visitor.get(`/console/reports?${NOVEMBER}`)).html).toContain("No issued documents");
  });

  test.each([
    ["from=2026-11-02&to=2026-11-01", "is before the first day"],
    ["from=2024-11-01&to=2026-11-01", "at most 24 months"],
    ["from=yesterday", "from"],
  ])("refuses the period %s", async (query, reason) => {
    expectPage(await visitor.get(`/console/reports?${query}`), 400, reason);
  });

  test("is in Greek for a Greek browser", async () => {
    await issue("2026-11-02");
    const page = await visitor.get(`/console/reports?${NOVEMBER}`, { "accept-language": "el" });
    expect(textOf(page)).toContain("24% Ελλάδα 8,33 € 2,00 €");
  });
});

describe("a report's file", () => {
  const file = (report: string, format: string) =>
    visitor.get(`/console/reports/file?${NOVEMBER}&report=${report}&format=${format}`);

  test("holds the same figures as CSV for a Greek Excel", async () => {
    await issue("2026-11-02");
    const { html, headers } = await file("vat", "csv");
    expect(headers.get("content-disposition")).toBe('attachment; filename="vat-2026-11-01-2026-11-30.csv"');
    expect(html).toContain('rates;shop;24;standard;;greece;"8,33";"2,00"\r\n');
    expect(html).toContain('boxes;shop;303;"8,33"\r\n');
    expect((await file("income", "csv")).html).toMatch(/income;shop;category1_\d;E3_561_\d+;"8,33"\r\n/);
  });

  test("is a workbook if asked for", async () => {
    await issue("2026-11-02");
    const { headers, html } = await file("vat", "xlsx");
    expect(headers.get("content-type")).toContain("spreadsheetml.sheet");
    expect(html.slice(0, 2)).toBe("PK");
  });

  test("needs a report and a format", async () => {
    expect((await visitor.get(`/console/reports/file?${NOVEMBER}`)).status).toBe(400);
  });
});

test("the archive of a period's PDFs contains every issued document under its name", async () => {
  await issue("2026-10-15");
  await issue("2026-11-02");
  await issue("2026-11-03");
  const response = await visitor.download(`/console/reports/pdfs?${NOVEMBER}`);
  expect(response.headers.get("content-disposition")).toContain("pdf-2026-11-01-2026-11-30.zip");
  const files = unzipSync(response.bytes);
  expect(Object.keys(files).sort()).toEqual(["shop/2026/TIM-2.pdf", "shop/2026/TIM-3.pdf"]);
  expect(Buffer.from(Object.values(files)[0]!.subarray(0, 5)).toString()).toBe("%PDF-");
});
