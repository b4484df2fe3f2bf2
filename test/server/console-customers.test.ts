import { strFromU8, unzipSync } from "fflate";
import { beforeEach, expect, test } from "vitest";
import { reportStatement } from "../../src/books/statement.ts";
import { renderInTurn } from "../../src/paper/render-in-turn.ts";
import { expectPage, signedIn, textOf } from "../helpers/console.ts";
import { buildDocument, type DocumentInput } from "../helpers/documents.ts";
import { openServer } from "../helpers/http.ts";
import { hasPdfTools, withPdf } from "../helpers/pdf-tools.ts";
import { forEachTest } from "../helpers/set-up.ts";

const server = forEachTest(openServer);
const visitor = forEachTest(() => signedIn(server));
beforeEach(async () => {
  await issue("2026-10-05");
  await issue("2026-11-02");
  await issue("2026-11-03", { tax_id: { country: "DE", code: "129273398" }, name: "Muster GmbH" });
});

type Party = DocumentInput["supplier"];
const GREEK: Party = { tax_id: { country: "GR", code: "094012834" }, name: "Πελάτης Α.Ε." };

/** Issues an invoice of 10.33 on `day`, and returns its id. */
async function issue(day: string, customer: Party = GREEK): Promise<string> {
  const address = { street: "Ερμού", number: "1", postal_code: "10563", city: "Αθήνα" };
  const document = buildDocument("1.1", { issue_date: day, customer: { ...customer, address } });
  const { id } = await server.issued({ document });
  await server.appliance.store.flush();
  return id;
}

const OCTOBER = "from=2026-10-01&to=2026-10-31";
const statement = (query: string) =>
  visitor.get(`/console/customers/statement?merchant=${server.merchant}&${query}`);

test.each([
  ["12834", ["Πελάτης Α.Ε."]],
  ["el 094012834", ["Πελάτης Α.Ε."]],
  ["πελατησ α", ["Πελάτης Α.Ε."]],
  ["ΜUSΤ", ["Muster GmbH"]],
  ["de129", ["Muster GmbH"]],
  ["FR094012834", []],
  ["Κανένας", []],
  [" ", ["Πελάτης Α.Ε.", "Muster GmbH"]],
])("customers are found by %j", async (text, names) => {
  const { html } = await visitor.get(`/console/customers?q=${encodeURIComponent(text)}`);
  for (const name of ["Πελάτης Α.Ε.", "Muster GmbH"]) expect(html.includes(name)).toBe(names.includes(name));
  if (names.length === 0) expect(html).toContain("Nothing found.");
});

test("a statement is opened from the customer, and shows a period with a running sum", async () => {
  const list = (await visitor.get("/console/customers")).html;
  expect(list).toContain("part of the name, or number");
  const issuedTo = "/console/documents?customer_tax_id=094012834";
  expect(list).toContain(`href="${issuedTo}`);
  expect((await visitor.get(issuedTo)).html).toContain("Πελάτης Α.Ε.");
  const [, link = ""] = /href="([^"]+customer=094012834)">Statement/.exec(list) ?? [];
  const shown = await visitor.get(link.replaceAll("&#38;", "&"));
  // The current quarter.
  expect(textOf(shown)).toMatch(/5 Oct 2026 1\.1 \S+ \d \d+ €10\.33 €10\.33 .*2 Nov 2026 .* €10\.33 €20\.66/);
  expect(shown.html).not.toContain("Muster");
  const [, credited = ""] = /\/console\/documents\/(doc_\w+)/.exec(shown.html) ?? [];
  const credit = await server.post(`/api/v1/documents/${credited}/credit`, { issue_date: "2026-10-06" });
  expect(credit.status).toBe(201);
  await server.settle();
  const page = await statement(`customer=094012834&${OCTOBER}`);
  const october = page.html;
  expect(textOf(page)).toMatch(/6 Oct 2026 5\.1 .* -€10\.33 €0\.00/);
  expect(october).toContain("<h1>Statement · Πελάτης Α.Ε.</h1>");
  expect(october).toContain('<input type="hidden" name="customer" value="094012834">');
  expect(october).toMatch(/href="[^"]+\?merchant=\w+&#38;customer=094012834">Clear/);
  expect((await statement("customer=DE129273398")).html).toContain("Muster GmbH");
  visitor.cookies.set("fiscal_console_language", "el");
  expect((await statement(`customer=094012834&${OCTOBER}`)).html).toContain("Καρτέλα · Πελάτης Α.Ε.");
  const none = await statement("customer=094012834&from=2026-01-01&to=2026-01-31");
  expect(none.html).toContain("Δεν υπάρχουν παραστατικά που εκδόθηκαν για αυτόν τον πελάτη");
});

test("the PDF of a statement is refused with when to ask again where too many wait", async () => {
  const path = `/console/customers/statement/file?merchant=${server.merchant}&customer=094012834&${OCTOBER}`;
  const end = Promise.withResolvers<void>();
  const rendering = Array.from({ length: 31 }, () => renderInTurn("test", () => end.promise));
  const refused = await visitor.get(`${path}&format=pdf`);
  expectPage(refused, 503, "Too many PDFs at once");
  expect(refused.headers.get("retry-after")).toBe("2");
  expect((await visitor.get(`${path}&format=xlsx`)).status).toBe(200);
  end.resolve();
  await Promise.all(rendering);
  expect((await visitor.get(`${path}&format=pdf`)).status).toBe(200);
});

test("a statement is a PDF and a workbook too, in the language of the page", async () => {
  visitor.cookies.set("fiscal_console_language", "el");
  const path = `/console/customers/statement/file?merchant=${server.merchant}&customer=094012834&${OCTOBER}`;
  const pdf = await visitor.download(`${path}&format=pdf`);
  expect(pdf.headers.get("content-type")).toBe("application/pdf");
  if (hasPdfTools)
    withPdf(pdf.bytes, ({ problems, text }) => {
      expect(problems).toBe("");
      for (const part of ["Καρτέλα πελάτη", "Πελάτης Α.Ε.", "10,33", "ΔΟΚΙΜΗ"]) expect(text).toContain(part);
    });
  const workbook = await visitor.download(`${path}&format=xlsx`);
  expect(workbook.headers.get("content-disposition")).toContain("statement-2026-10-01-2026-10-31.xlsx");
  const sheets = Object.values(unzipSync(workbook.bytes)).map((bytes) => strFromU8(bytes));
  expect(sheets.join()).toContain("ημερομηνία έκδοσης");
});

test("other work runs between the pages of a long statement", async () => {
  for (let index = 0; index < 100; index += 1) await server.issue();
  await server.settle();
  let hasRun = false;
  setImmediate(() => (hasRun = true));
  const customer = { merchantId: server.merchant, mode: "test", country: "GR", code: "094012834" } as const;
  const days = { from: "2026-10-01", through: "2026-12-31" };
  const { rows } = await reportStatement(server.appliance, customer, days);
  expect([rows.length, hasRun]).toEqual([102, true]);
});

test.each([
  ["customer=094012834&from=2026-11-02&to=2026-11-01", "is before the first day", "customer=094012834"],
  ["customer=094012834&from=2020-01-01&to=2026-11-01", "at most 24 months", "customer=094012834"],
  ["customer=094012834&from=soon", "From: must be", "customer=094012834"],
  ["", "Customer: is required", undefined],
])(
  "a statement of %j is refused, and leads back to where it can be asked for",
  async (query, reason, back) => {
    const { status, html } = await statement(query);
    expect(status).toBe(400);
    expect(html).toContain(reason);
    const [, link = ""] = /<a class="button" href="([^"]+)">Back</.exec(html) ?? [];
    const path = link.replaceAll("&#38;", "&");
    expect(path.endsWith(back ?? "/console/customers")).toBe(true);
    expect((await visitor.get(path)).status).toBe(200);
  },
);
