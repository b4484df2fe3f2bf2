import { beforeEach, describe, expect, test } from "vitest";
import { buildDocument, buildLine, CUSTOMERS } from "../../helpers/documents.ts";
import { csvOf, issueAll } from "../../helpers/issuing.ts";
import { expectRefused, expectSaid, openWorkshop, type Run } from "../../helpers/program.ts";
import { addShop, lines, receipt } from "../../helpers/receipts.ts";
import { forEachTest } from "../../helpers/set-up.ts";

let shop: string;
const workshop = forEachTest(openWorkshop);
beforeEach(async () => {
  shop = await addShop(workshop);
});

function preview(body: unknown, ...args: string[]): Promise<Run> {
  return workshop.run(["documents", "preview", "-", ...args], { stdin: JSON.stringify(body, null, 2) });
}

describe("documents preview", () => {
  test("prints the API's object for a document or a whole body, and stores nothing", async () => {
    const body = receipt("A-1");
    await workshop.write("a.json", JSON.stringify({ ...body, merchant: shop }));
    const whole = await workshop.run("documents preview a.json --json");
    const bare = await preview(body.document, "--json");
    expect(whole).toMatchObject({ exitCode: 0, stderr: "" });
    expect(whole.json()).toEqual({
      provider: "sandbox",
      type: "11.1",
      totals: { net: 1000, vat: 240, gross: 1240 },
      classification: { source: "default", warnings: expect.any(Array) as string[] },
      payload: expect.objectContaining({ InvoicesDoc: expect.any(Object) as object }) as object,
    });
    expect(bare.stdout).toBe(whole.stdout);
    expect((await preview(body.document, "--json", "--merchant", "shop")).stdout).toBe(whole.stdout);
    expect(await workshop.run("documents list")).toMatchObject({ stderr: "No documents.\n" });
  });

  test("warns about a number that is none of its country, on which the exemption depends", async () => {
    const customer = { ...CUSTOMERS.eu, tax_id: { country: "DE", code: "12927339" } };
    const exempt = [buildLine({ vat_category: "exempt", vat_exemption: 14 })];
    const { stderr } = await preview(buildDocument("1.1", { customer, lines: exempt }));
    expect(stderr).toContain("does not have the form of a VAT number of DE");
  });

  test("exits with 2 and says so if issuing would refuse the document", async () => {
    const body = receipt("A-1");
    const supplier = { tax_id: { country: "GR", code: "094012834" } };
    const foreign = { ...body, document: { ...body.document, supplier } };
    const refused = await preview(foreign, "--merchant", "shop", "--provider", "registry_direct");
    expectSaid(refused, 2, /issuing would refuse this: .*supplier/);
    await workshop.run("merchants archive shop --yes");
    const archived = await preview(body, "--merchant", "shop", "--json");
    expect([archived.exitCode, archived.json<{ type: string }>().type]).toEqual([2, "11.1"]);
    expect(archived.stderr).toContain("issuing would refuse this");
  });

  test("shows parties, lines, amounts and reasons", async () => {
    const document = buildDocument("1.1", {
      customer: CUSTOMERS.eu,
      lines: [
        buildLine({ unit: "kg" }),
        buildLine({
          vat_category: "exempt",
          income_classification: { category: "category1_2", type: "E3_561_007" },
        }),
      ],
    });
    const run = await preview(document);
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toContainAll(
      /^type +1\.1 sales invoice, sent as 1\.2$/m,
      /^customer +DE 123456789, Muster GmbH, Hauptstraße 1, 10115 Berlin$/m,
      /^number +TIM 1, not reserved$/m,
      /^provider +sandbox \(test\)\nbecause +the merchant has no active connection; test mode shows the sandbox$/m,
      /1\tΚαφές\t2\.5 kg\t3\.33\t8\.33\t24%\t2\.00/,
      /2\tΚαφές\t2\.5 pcs\t3\.33\t8\.33\t0% \(27\)\t0\.00/,
      /category1_1 E3_561_005\tdefault for 1\.1 to another EU country/,
      /category1_2 E3_561_007\tgiven/,
      /24%\tstandard\t8\.33\t2\.00\t10\.33/,
      /^gross +18\.66 EUR$/m,
      /^paid +18\.66 EUR, On credit \(assumed: none is given\)$/m,
    );
    expect(run.stderr).toContain("warning: line 1: took the default classification");
    expect(run.stdout).not.toContain("InvoicesDoc");
    for (const row of run.stdout.split("\n")) expect(row.length).toBeLessThanOrEqual(80);
    const greek = await preview(document, "--lang", "el");
    expect(greek.stdout).toContainAll(/\t2,5 τεμ\.\t/, "Επί πιστώσει (υπόθεση");
  });

  test("warns in both languages what an invoice lacks on paper, but not in the API", async () => {
    const document = buildDocument("1.1");
    const english = await preview(document);
    for (const lack of ["supplier: no address", "customer: no name", "customer: no address"])
      expect(english.stderr).toContain(`warning: ${lack}, which an invoice must show`);
    expect((await preview(document, "--lang", "el")).stderr).toMatch(
      /πελάτης: χωρίς επωνυμία, που πρέπει να φαίνεται/,
    );
    expect((await preview(document, "--json")).stdout).not.toContain("which an invoice must show");
    expect((await preview(receipt("A-1"))).stderr).not.toContain("which an invoice must show");
    const address = { street: "Ερμού", number: "12", postal_code: "10563", city: "Αθήνα" };
    const { supplier } = document;
    const whole = {
      ...document,
      supplier: { ...supplier, address },
      customer: { ...CUSTOMERS.greek, name: "Πελάτης Ε.Π.Ε.", address },
    };
    expect((await preview(whole)).stderr).not.toContain("which an invoice must show");
  });

  test("shows the XML that would be sent with --payload", async () => {
    const run = await preview(receipt("A-1"), "--payload", "--provider", "registry_direct");
    expect(run.stdout).toMatch(/^provider +registry_direct \(test\)\nbecause +requested$/m);
    expect(run.stdout).toContain('<?xml version="1.0" encoding="UTF-8"?>\n<InvoicesDoc ');
    expect(run.stdout).toContain("      <invoiceType>11.1</invoiceType>\n");
  });

  test("shows JSON for a provider that takes JSON, and that it assigns the number", async () => {
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Athens" }).format(new Date());
    const document = buildDocument("11.1", { issue_date: today });
    const run = await preview(document, "--payload", "--provider", "provider_a");
    expect(run.stdout).toContainAll(/^number +assigned by the provider$/m, /^\{\n {2}"/m);
  });

  test("warns that provider_a does not send vat_payment_suspension", async () => {
    const warning = "warning: vat_payment_suspension: Wrapp does not send it";
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Athens" }).format(new Date());
    const run = () => preview(buildDocument("11.1", { issue_date: today }), "--provider", "provider_a");
    expect((await run()).stderr).not.toContain(warning);
    const stdin = '{"vat_payment_suspension": true}';
    await workshop.run("merchants settings shop --file -", { stdin });
    expect((await run()).stderr).toContain(warning);
  });

  test("uses the merchant's settings, and the series and number of the body, as issuing does", async () => {
    const settings = {
      classification: { "11.1": { category: "category1_2", type: "E3_561_003" } },
      numbering: { "11.1": { series: "SHOP", next_number: 40 } },
    };
    const stdin = JSON.stringify(settings);
    expect((await workshop.run("merchants settings shop --file -", { stdin })).exitCode).toBe(0);
    const run = await preview(receipt("A-1"));
    expect(run.stdout).toMatch(/^number +SHOP 40, not reserved$/m);
    expect(run.stdout).toMatch(/category1_2 E3_561_003\tmerchant's settings/);
    const own = { ...receipt("A-1"), series: "OWN" };
    expect((await preview(own)).stdout).toContain("OWN 1, not reserved");
    expect((await preview({ ...own, number: 17 })).stdout).toContain("OWN 17, not reserved");
    const issued = await issueAll(workshop, [receipt("A-1"), { ...own, external_reference: "A-2" }]);
    expect(issued.map(({ series, number }) => `${series} ${number}`)).toEqual(["SHOP 40", "OWN 1"]);
  });

  test("asks for the provider if several merchants have the tax number", async () => {
    await addShop(workshop, "other");
    expect((await preview(receipt("A-1"))).stdout).toContain("several merchants have this tax number");
    const named = await preview(receipt("A-1"), "--merchant", "other");
    expect(named.stdout).toContain("the merchant has no active connection");
  });
});

describe("documents preview of several documents", () => {
  test("shows each document of a CSV or NDJSON file, and a list with --json", async () => {
    const csv = csvOf(["A-1,11.1,2025-01-15,Coffee,2,5.00,24%", "A-2,11.1,2025-01-15,Tea,1,3.00,24%"]);
    const args = ["documents", "preview", "-", "--merchant", "shop"];
    const run = await workshop.run([...args, "--format", "csv"], { stdin: csv });
    expect(run.exitCode).toBe(0);
    expect(run.stdout.match(/^reference +A-\d$/gm)).toHaveLength(2);
    const stdin = lines([receipt("A-1"), receipt("A-2")]);
    const list = await workshop.run([...args, "--format", "ndjson", "--json"], { stdin });
    expect(list.json()).toMatchObject({ object: "list", data: [{ type: "11.1" }, {}], has_more: false });
  });

  test("stops at --limit and says so", async () => {
    const stdin = lines([receipt("A-1"), receipt("A-2"), receipt("A-3")]);
    const args = ["documents", "preview", "-", "--format", "ndjson", "--limit", "2"];
    const run = await workshop.run(args, { stdin });
    expect(run.exitCode).toBe(0);
    expect(run.stdout.match(/^reference/gm)).toHaveLength(2);
    expect(run.stderr).toContain("There are more documents");
    const list = await workshop.run([...args, "--json"], { stdin });
    expect(list.json()).toMatchObject({ data: [{}, {}], has_more: true });
  });

  test("reports invalid documents, shows the others, and exits with 2", async () => {
    const stdin = lines([receipt("A-1"), { document: {} }, receipt("A-3")]);
    const run = await workshop.run("documents preview - --format ndjson", { stdin });
    expect(run.exitCode).toBe(2);
    expect(run.stdout.match(/^reference +A-[13]$/gm)).toHaveLength(2);
    expect(run.stderr).toMatch(/^standard input, line 2: .*type: is required/m);
  });
});

test("documents preview refuses an unknown key, and a CSV without a merchant or with an unknown one", async () => {
  expectRefused(await preview({ document: {}, merchnat: "shop" }), 2, "merchnat");
  const stdin = csvOf(["A-1,11.1,2025-01-15,Coffee,2,5.00,24%"]);
  const line = "documents preview - --format csv";
  expectRefused(await workshop.run(line, { stdin }), 2, "--merchant is missing");
  expect(await workshop.run(`${line} --merchant none`, { stdin })).toMatchObject({ exitCode: 3 });
});
