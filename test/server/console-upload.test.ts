/** Issuing a file of documents in the console: docs/contract.md#console-upload. */
import { randomUUID } from "node:crypto";
import iconv from "iconv-lite";
import { expect, test, vi } from "vitest";
import { FILE_FORM_BYTES_MAX, KEPT_MS } from "../../server/pages/console/upload/read-upload.ts";
import { NO_RETRIES } from "../helpers/appliance.ts";
import { CONNECT, openConnectingServer } from "../helpers/connecting.ts";
import { csrfOf, expectPage, fieldsOf, signedIn, textOf } from "../helpers/console.ts";
import { csvOfRows, rowWith } from "../helpers/csv.ts";
import { workbookOf } from "../helpers/workbooks.ts";
import { forAllTests } from "../helpers/set-up.ts";

const server = forAllTests(() => openConnectingServer({ env: NO_RETRIES }));
const visitor = forAllTests(() => signedIn(server));

const START = "/console/upload";

/** Uploads a file for the merchant, and returns where the browser is led. */
async function uploaded(
  name: string,
  bytes: Buffer | string,
  key: string = randomUUID(),
  by = visitor,
): Promise<string> {
  const answer = await by.upload(START, { key, merchant: server.merchant }, { name, bytes });
  expect(answer.status).toBe(303);
  return answer.headers.get("location") ?? "";
}

async function post(path: string, action: string, fields: Record<string, string> = {}, by = visitor) {
  const { html } = await by.get(path);
  const shown = /name="shown" value="([^"]*)"/.exec(html)?.[1] ?? "";
  return by.post(`${path}/${action}`, { shown, ...fields }, { csrf: csrfOf(html) });
}

async function issuedReferences(prefix: string): Promise<string[]> {
  const issued = await server.read("/api/v1/documents?limit=100");
  const references = issued.map((document: { external_reference: string }) => document.external_reference);
  return references.filter((reference: string) => reference?.startsWith(prefix)).sort();
}

test("a file is shown with its form and every error, and only its valid documents are issued", async () => {
  const own = { series: "ALP", number: "107" };
  const rows = [rowWith({ reference: "U-1", ...own }), rowWith({ reference: "U-2", vat_category: "25%" })];
  const path = await uploaded("week.csv", csvOfRows(rows));
  const preview = textOf(await visitor.get(path));
  expect(preview).toContain("UTF-8, separated by semicolons");
  expect(preview).toContain("Can be issued: 1. With errors: 1.");
  expect(preview).toMatch(/Total\s+€[0-9.]+/);
  expect(preview).toMatch(/line 3 U-2 line 3, vat_category: must be a VAT category/);
  expect(preview).toMatch(/line 2 U-1 ALP 107 11\.1 [0-9]+ Nov 20[0-9]+ €12\.40/);
  expect(await issuedReferences("U-")).toEqual([]);

  expect((await post(path, "issue")).headers.get("location")).toBe(`${path}/result`);
  expect(textOf(await visitor.get(`${path}/result`))).toContain(" of 1.");
  await server.settle();
  const result = await visitor.get(`${path}/result`);
  expect(textOf(result)).toContainAll("Finished: 1 of 1.", /U-1 ALP \d+ 4\d{14} Issued/);
  expect(await issuedReferences("U-")).toEqual(["U-1"]);

  const report = await visitor.get(`${path}/report`);
  expect(report.headers.get("content-disposition")).toContain("report.csv");
  expect(report.html).toMatch(
    /^\ufeff?reference;id;status;series;number;mark;error\r\nU-1;doc_\w{22};issued;ALP;\d+;4\d{14};\r\n/,
  );
  expect(report.html).toContain("U-2;;refused;;;;");
});

test("a form that is sent twice, and a file that is uploaded again, issue once", async () => {
  const file = csvOfRows([rowWith({ reference: "T-1" }), rowWith({ reference: "T-2" })]);
  const key = randomUUID();
  const path = await uploaded("twice.csv", file, key);
  expect(await uploaded("twice.csv", file, key)).toBe(path);
  const answers = await Promise.all([post(path, "issue"), post(path, "issue")]);
  for (const { status } of answers) expect(status).toBe(303);
  expect(await visitor.get(path)).toMatchObject({ status: 303 });
  const again = await uploaded("twice.csv", file);
  await post(again, "issue");
  expect(textOf(await visitor.get(`${again}/result`))).toContain("was accepted before");
  expect(await issuedReferences("T-")).toEqual(["T-1", "T-2"]);
});

test("a page that reads the file while it is issued still shows it", async () => {
  const path = await uploaded(
    "late.csv",
    csvOfRows([rowWith({ reference: "R-1", series: "R", number: "9" })]),
  );
  const { html } = await visitor.get(path);
  const [, shown = ""] = /name="shown" value="([^"]*)"/.exec(html) ?? [];
  const { read } = server.appliance.store;
  const first = read.first.bind(read);
  const [isHeld, isReleased] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // The page stops where it asks for the merchant's columns.
  const spy = vi.spyOn(read, "first").mockImplementation(async (statement, parameters) => {
    if (Object.keys(parameters).join() === "merchant_id") {
      spy.mockImplementation(first);
      isHeld.resolve();
      await isReleased.promise;
    }
    return first(statement, parameters);
  });
  const late = visitor.get(path);
  await isHeld.promise;
  const answer = await visitor.post(`${path}/issue`, { shown }, { csrf: csrfOf(html) });
  expect(answer.headers.get("location")).toBe(`${path}/result`);
  isReleased.resolve();
  expect(textOf(await late)).toContain("R-1");
  spy.mockRestore();
  expect(await issuedReferences("R-")).toEqual(["R-1"]);
});

test("unknown columns are chosen once, with suggestions, and remembered for the merchant", async () => {
  const file = (reference: string) =>
    iconv.encode(
      `Παραστατικό;Ημερομηνία;Είδος;Ποσότητα;Τιμή;Σχόλια\n${reference};2/1/2026;Καφές;2;5,00;x\n`,
      "windows-1253",
    );
  const path = await uploaded("εβδομάδα.csv", file("C-1"));
  const asked = await visitor.get(path);
  expect(textOf(asked)).toContain("Windows-1253");
  expect(asked.html).toMatch(/name="column-2">.*?<option value="description" selected>/s);
  const chosen = [...asked.html.matchAll(/name="(column-\d+)">.*?<option value="(\w+)" selected>/gs)];
  const fields = Object.fromEntries(chosen.map(([, name, value]) => [name!, value!]));
  expect(fields).toMatchObject({ "column-0": "reference", "column-4": "unit_price", "column-5": "ignore" });

  expect(asked.html).toContainAll('name="default-type"', 'name="default-vat_category"');

  const twice = await post(path, "columns", { ...fields, "column-5": "reference", "default-type": "11.1" });
  expect(twice.status).toBe(400);
  expect(textOf(twice)).toContain("Two columns have the same meaning");

  const defaults = { "default-type": "11.1", "default-vat_category": "standard" };
  const lacking = await post(path, "columns", { ...fields, ...defaults, "column-0": "ignore" });
  expect(lacking.status).toBe(400);
  expect(textOf(lacking)).toContain("Choose the column of: reference of the document");

  expect((await post(path, "columns", { ...fields, ...defaults })).headers.get("location")).toBe(path);
  expect(textOf(await visitor.get(path))).toContain("Can be issued: 1. With errors: 0.");
  const next = await uploaded("next.csv", file("C-2"));
  expect(textOf(await visitor.get(next))).toContain("Can be issued: 1. With errors: 0.");

  await post(next, "forget");
  expect(textOf(await visitor.get(next))).toContain("Choose what each means");
});

test("a workbook is read too", async () => {
  const row = rowWith({ reference: "W-1" });
  const path = await uploaded("week.xlsx", await workbookOf([Object.keys(row), Object.values(row)]));
  expect(textOf(await visitor.get(path))).toMatch(/workbook .*Can be issued: 1\. With errors: 0\./);
});

test("live documents are issued only with the confirmation of merchant, count and sum", async () => {
  const { id: merchant, name } = await server.read(`/api/v1/merchants/${server.merchant}`);
  const live = await signedIn(server, "live");
  const file = csvOfRows([rowWith({ reference: "L-1" })]);
  const early = await uploaded("live.csv", file, randomUUID(), live);
  expect((await visitor.get(early)).status).toBe(404);
  // Without a live connection nothing can be issued.
  expect(textOf(await live.get(early))).toContain("Can be issued: 0. With errors: 1.");

  await server.post(`/api/v1/merchants/${merchant}/connections`, CONNECT, { key: server.liveKey });
  server.provider.issues("400000000000009");
  const path = await uploaded("live.csv", file, randomUUID(), live);
  const question = `Yes, issue 1 document of ${name} with a sum of €12.40, dated 2 Nov 2026.`;
  expect(textOf(await live.get(path))).toContain(question);
  const refused = await post(path, "issue", {}, live);
  expectPage(refused, 400, /name="confirm"[^>]* aria-invalid="true" aria-describedby="confirm-mistake"/);
  await post(path, "issue", { confirm: "yes" }, live);
  await server.settle();
  expect(textOf(await live.get(`${path}/result`))).toContain("400000000000009");
});

test("a form without merchant or file says so at its fields, and an unknown upload what to do", async () => {
  const empty = await visitor.upload(START, { key: randomUUID(), merchant: "" });
  expectPage(empty, 400, /id="file"[^>]* aria-describedby="file-mistake" aria-invalid="true"/);
  expect(textOf(empty)).toContain("is required");
  const other = await visitor.upload(
    START,
    { key: randomUUID(), merchant: server.merchant },
    { name: "a.pdf", bytes: "x" },
  );
  expect(textOf(other)).toContain("ends in .csv or .xlsx");
  const gone = await visitor.get(`${START}/${randomUUID()}`);
  expect(gone.status).toBe(404);
  expect(textOf(gone)).toContain("Choose the file again; nothing is issued twice");
  const damaged = await uploaded("damaged.csv", "A-1;11.1;x\n");
  expect(textOf(await visitor.get(damaged))).toContain("The first row must contain the column names");
  const bytes = Buffer.alloc(FILE_FORM_BYTES_MAX);
  const large = await visitor.upload(START, { key: randomUUID() }, { name: "large.csv", bytes });
  expect([large.status, textOf(large).includes("more than 8 MB")]).toEqual([413, true]);
  const foreign = await visitor.upload(START, { csrf: "x", key: randomUUID(), merchant: server.merchant });
  expect(foreign.status).toBe(403);
});

test("only what was shown is issued, although the columns have another meaning since", async () => {
  const file =
    "reference;type;issue_date;description;quantity;low;high\nN-1;11.1;2/1/2026;Καφές;1;2,00;5,00\n";
  const choose = (path: string, low: string, high: string) =>
    post(path, "columns", { "column-5": low, "column-6": high, "default-vat_category": "standard" });
  const [mine, other] = [await uploaded("mine.csv", file), await uploaded("other.csv", file)];
  await choose(mine, "unit_price", "ignore");
  const shown = await visitor.get(mine);
  await post(other, "forget");
  await choose(other, "ignore", "unit_price");
  const issue = ({ html }: typeof shown) => {
    const [, fields = ""] = /name="shown" value="([^"]*)"/.exec(html)!;
    return visitor.post(`${mine}/issue`, { shown: fields }, { csrf: csrfOf(html) });
  };
  // Another tab shows the file as it would be read now.
  await visitor.get(mine);
  const answer = await issue(shown);
  expectPage(answer, 400, "no longer as your page showed them");
  expect(textOf(answer)).toContain("€6.20");
  expect(await issuedReferences("N-")).toEqual([]);
  await post(other, "forget");
  await choose(mine, "unit_price", "ignore");
  const again = await visitor.get(mine);
  await post(other, "forget");
  expect((await issue(again)).status).toBe(303);
  const [document] = await server.read("/api/v1/documents?external_reference=N-1");
  expect(document.gross).toBe(248);
});

const closeBooks = (until: string) =>
  visitor.post("/console/reports/close", { merchant: server.merchant, until });

test("what was shown as refused is not issued, although it would be accepted by now", async () => {
  const row = rowWith({ reference: "S-1", issue_date: "2026-01-02" });
  const path = await uploaded("closed.csv", csvOfRows([row, rowWith({ reference: "S-2" })]));
  await closeBooks("2026-01-31");
  const { html } = await visitor.get(path);
  await closeBooks("");
  const [, shown = ""] = /name="shown" value="([^"]*)"/.exec(html)!;
  await visitor.post(`${path}/issue`, { shown }, { csrf: csrfOf(html) });
  expect(await issuedReferences("S-")).toEqual(["S-2"]);
  expect(textOf(await visitor.get(`${path}/result`))).toContain("books are closed");
});

test("a result of which nothing was issued says so, and what to do", async () => {
  const row = rowWith({ reference: "V-1", issue_date: "2026-01-02" });
  const path = await uploaded("none.csv", csvOfRows([row]));
  const { html } = await visitor.get(path);
  const [, shown = ""] = /name="shown" value="([^"]*)"/.exec(html)!;
  await closeBooks("2026-01-31");
  await visitor.post(`${path}/issue`, { shown }, { csrf: csrfOf(html) });
  await closeBooks("");
  const result = textOf(await visitor.get(`${path}/result`));
  expect(result).toMatch(/Not issued: 1, .* upload the file again: nothing is issued twice/);
  expect(result).toContain("books are closed");
  expect(result).not.toContain("0 of 0");
});

test("a document that was accepted before is found again, although its page calls it refused", async () => {
  const first = rowWith({ reference: "G-1", series: "G", number: "7" });
  await post(await uploaded("first.csv", csvOfRows([first])), "issue");
  const again = await uploaded("again.csv", csvOfRows([first, rowWith({ reference: "G-2" })]));
  expect(textOf(await visitor.get(again))).toContain("Can be issued: 1. With errors: 1.");
  await post(again, "issue");
  expect(textOf(await visitor.get(`${again}/result`))).toMatch(/G-1 G 7 .*was accepted before/);
  expect(await issuedReferences("G-")).toEqual(["G-1", "G-2"]);
});

test("two pages that show a file alike can both issue it", async () => {
  const path = await uploaded("tabs.csv", csvOfRows([rowWith({ reference: "B-1" })]));
  const { html } = await visitor.get(path);
  await visitor.get(path);
  const [, shown = ""] = /name="shown" value="([^"]*)"/.exec(html)!;
  expect((await visitor.post(`${path}/issue`, { shown }, { csrf: csrfOf(html) })).status).toBe(303);
  expect(await issuedReferences("B-")).toEqual(["B-1"]);
});

test("an upload is kept for an hour, and its page then offers the form again", async () => {
  const file = csvOfRows([rowWith({ reference: "E-1" })]);
  const path = await uploaded("hour.csv", file);
  const page = await visitor.get(path);
  server.advance(KEPT_MS - 1);
  expect(textOf(await visitor.get(path))).toContain("Kept here until");
  server.advance(1);
  const late = await visitor.post(`${path}/issue`, { shown: "1:1240" }, { csrf: csrfOf(page.html) });
  expectPage(late, 404, 'id="file"');
  expect(textOf(late)).toContain("Choose the file again; nothing is issued twice");
  expect(await issuedReferences("E-")).toEqual([]);
});

test("a form that is sent when the session is over is kept without its file, unless that is large", async () => {
  const stranger = await signedIn(server);
  const endSession = () => server.advance(13 * 3_600_000);
  endSession();
  const send = (bytes: Buffer) =>
    stranger.upload(START, { key: randomUUID(), merchant: server.merchant }, { name: "a.csv", bytes });
  const kept = await send(Buffer.from(csvOfRows([rowWith({ reference: "S-1" })])));
  expectPage(kept, 401, "Your entries are kept");
  expect(textOf(kept)).toContain("The file is chosen again there.");
  await stranger.signIn("test");
  const form = await stranger.post(`${START}/continue`, fieldsOf(kept));
  expectPage(form, 400, "Choose a file that ends in .csv or .xlsx");
  expect(fieldsOf(form)).toMatchObject({ merchant: server.merchant });
  endSession();
  expectPage(await send(Buffer.alloc(65_536)), 401, "Sign in and try again");
});

test("nothing is issued while the appliance is held", async () => {
  await visitor.signIn("test");
  const path = await uploaded("held.csv", csvOfRows([rowWith({ reference: "H-1" })]));
  await server.hold();
  expect(await post(path, "issue")).toMatchObject({ status: 503 });
  expect(await issuedReferences("H-")).toEqual([]);
});
