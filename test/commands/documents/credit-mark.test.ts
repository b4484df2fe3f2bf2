/** `fiscal documents credit --mark`: docs/contract.md#crediting-a-document-issued-elsewhere. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ConnectionObject } from "../../../src/issuing/connection-status.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import type { ProviderCallObject } from "../../../src/logs/log-objects.ts";
import type { Filing } from "../../helpers/fake-registry/authority.ts";
import type { FakeRegistry } from "../../helpers/fake-registry/server.ts";
import { issue } from "../../helpers/issuing.ts";
import {
  answering,
  expectRefused,
  expectSaid,
  type RunOptions,
  expectPrinted,
} from "../../helpers/program.ts";
import { addShop, invoice, receipt } from "../../helpers/receipts.ts";
import { CONNECT_SHOP, openRegisteredShop } from "../../helpers/registered-shop.ts";
import { forAllTests } from "../../helpers/set-up.ts";

let registry: FakeRegistry;
const shop = forAllTests(openRegisteredShop);
/** The other program that issues for the same tax number. */
const program = forAllTests(() => openRegisteredShop(shop));
beforeAll(() => void ({ registry } = shop));
beforeEach(() => registry.requests.splice(0));

let issued = 0;

/** Issues a document with the other program and returns what the authority filed. */
async function issuedElsewhere(changes: Record<string, unknown> = {}, build = invoice): Promise<Filing> {
  const { document, ...rest } = build(`X-${++issued}`);
  expect((await issue(program, [{ ...rest, document: { ...document, ...changes } }])).exitCode).toBe(0);
  registry.requests.splice(0);
  return registry.ledger.at(-1)!;
}

const lineOf = (mark: string, flags: string) => `documents credit --mark ${mark} --merchant shop ${flags}`;
const credit = (mark: string, flags = "", options?: RunOptions) => shop.run(lineOf(mark, flags), options);
const credited = (mark: string, flags = "", options?: RunOptions) =>
  shop.read<DocumentObject>(lineOf(mark, flags), options);
const creditsOf = (mark: string) =>
  registry.ledger.filter(({ correlated }) => correlated.includes(mark)).length;

describe("an invoice that another program issued", () => {
  test("is shown by --preview with its lines and their classification, and nothing is issued", async () => {
    const [line] = invoice("").document["lines"] as object[];
    const { mark } = await issuedElsewhere({
      lines: [{ ...line, income_classification: { category: "category1_2", type: "E3_561_007" } }],
      totals: { net: 3000, vat: 720, gross: 3720 },
    });
    const shown = await credit(mark, "--preview");
    expectPrinted(shown, 0, new RegExp(`^document +credit of MARK ${mark}$`, "m"));
    expect(shown.stdout).toContainAll("Πίστωση γραμμής 1", "category1_2 E3_561_007", /^gross +37\.20 EUR$/m);
    expect(registry.requests).toEqual(["RequestTransmittedDocs"]);
  });

  test("is credited in parts and then to the cent, and each reading is logged as a lookup", async () => {
    const { mark } = await issuedElsewhere();
    const part = await credited(mark, `--line 1:0,25 --reference C-${mark}`);
    expect(part).toMatchObject({ type: "5.1", status: "issued", net: 750, vat: 180 });
    expect(registry.requests).toEqual(["RequestTransmittedDocs", "SendInvoices 1"]);
    const rest = await credited(mark, "--date 2025-01-20");
    expect(rest).toMatchObject({ issue_date: "2025-01-20", net: 4350, vat: 1044 });
    const filed = { type: "5.1", correlated: [mark], counterpart: "094012834" };
    expect(registry.ledger.at(-1)).toMatchObject(filed);
    const calls = await shop.list<ProviderCallObject>("calls list");
    const reading = calls.find(({ operation }) => operation === "lookup");
    expect(reading).toMatchObject({ provider: "registry_direct", outcome: "ok", document: null });
  });

  test("has nothing left after credits of it that name no lines", async () => {
    const { mark } = await issuedElsewhere();
    const { document } = invoice("");
    const body = { ...invoice(`N-${mark}`), document: { ...document, type: "5.1", original_marks: [mark] } };
    await issue(shop, [body]);
    expectRefused(await credit(mark), 2, "Nothing of this document is left");
  });

  test("is credited once under the same idempotency key", async () => {
    const { mark } = await issuedElsewhere();
    const once = `--line 1 --idempotency-key k-${mark}`;
    const [first, again] = [await credited(mark, once), await credited(mark, once)];
    expect(again.id).toBe(first.id);
    expect(creditsOf(mark)).toBe(1);
  });

  test("to a customer abroad is credited with that customer's name and address", async () => {
    const customer = {
      tax_id: { country: "DE", code: "123456789" },
      name: "Beispiel & Söhne",
      address: { postal_code: "10115", city: "Berlin" },
    };
    const vat = { vat_category: "exempt", vat_exemption: 16 };
    const line = { description: "Consulting", quantity: "1", unit_price: 5000, ...vat };
    const totals = { net: 5000, vat: 0, gross: 5000 };
    const { mark, type } = await issuedElsewhere({ type: "2.1", customer, lines: [line], totals });
    expect(type).toBe("2.2");
    const { exitCode, stdout } = await credit(mark, "--preview");
    expect(exitCode).toBe(0);
    expect(stdout).toContainAll("Beispiel & Söhne", "Berlin", "50.00", "Credit of line 1");
  });

  test("is never credited beyond its lines", async () => {
    const { mark } = await issuedElsewhere();
    expectRefused(await credit(mark, "--line 2:1,5"), 2, "at most 1, which is what is left");
    expectRefused(await credit(mark, "--line 3"), 2, "from 1 to 2");
    await credit(mark);
    for (const flags of ["--line 1", "--preview"])
      expectRefused(await credit(mark, flags), 2, "Nothing of this document is left");
    expect(creditsOf(mark)).toBe(1);
  });
});

const MARK = "400001900000001";

test.each([
  ["documents credit", "name the document by its id"],
  [`documents credit I-1 --mark ${MARK} --merchant shop`, "only by --mark and --merchant"],
  [`documents credit --mark ${MARK}`, "--mark and --merchant"],
  ["documents credit --mark 0123 --merchant shop", "must be a MARK"],
])("`%s` is refused: %s", async (line, says) => {
  expectRefused(await shop.run(line), 2, says);
  expect(registry.requests).toEqual([]);
});

/** Changes the lines that were sent. */
function resend(filing: Filing, change: (lines: string) => string): void {
  filing.sent = { ...filing.sent, invoiceDetails: change(filing.sent.invoiceDetails) };
}

describe("the original is refused", () => {
  test.each<[why: string, change: (filing: Filing) => unknown, exitCode: number, says: string]>([
    [
      "if the authority has no such MARK, only those next to it",
      (filing) => registry.ledger.splice(registry.ledger.indexOf(filing), 1),
      3,
      "no document with this MARK",
    ],
    ["if it is cancelled", (filing) => (filing.cancelledByMark = "400009999999999"), 1, "is cancelled"],
    [
      "if a line has several classifications, saying how to credit it instead",
      (filing) =>
        resend(filing, (lines) => lines.replace(/<incomeClassification>.*?<\/incomeClassification>/, "$&$&")),
      1,
      "as a 5.1 with lines of its own",
    ],
    [
      "if a line has an exemption cause that is not known here",
      (filing) =>
        resend(filing, (lines) =>
          lines.replace("</vatCategory>", "$&<vatExemptionCategory>32</vatExemptionCategory>"),
        ),
      1,
      "Line 1 of this document has a kind",
    ],
  ])("%s", async (_why, change, exitCode, says) => {
    const original = await issuedElsewhere();
    await issuedElsewhere();
    change(original);
    expectRefused(await credit(original.mark), exitCode, says);
  });

  test("if it is a receipt", async () => {
    const { mark } = await issuedElsewhere({}, receipt);
    expectRefused(await credit(mark), 1, "of type 11.1; only sales and service invoices");
  });

  test("if another tax number issued it", async () => {
    const { mark } = await issuedElsewhere();
    await shop.run("merchants add --external-id other --name 'Άλλη Α.Ε.' --tax-id 094012834");
    // With credentials of the wrong taxpayer.
    await shop.run("connections add --merchant other --provider registry_direct");
    const run = await shop.run(`documents credit --mark ${mark} --merchant other`);
    expectRefused(run, 1, "by another tax number");
  });

  test("if the merchant has no connection that can read it", async () => {
    await addShop(shop, "sandboxed");
    const run = await shop.run(`documents credit --mark ${MARK} --merchant sandboxed`);
    expectRefused(run, 1, "connect it to registry_direct, or issue a 5.1");
  });
});

test("a document that was issued here is credited like any of ours, without asking the authority", async () => {
  await issue(shop, [invoice("OWN-1")]);
  const { mark } = registry.ledger.at(-1)!;
  registry.requests.splice(0);
  expect((await credit(mark, "--line 1:1,5 --preview")).stdout).toContain("Καφές");
  expect(registry.requests).toEqual([]);
});

test("a document that was issued here is named if the MARK is a further one of it", async () => {
  await issue(shop, [invoice("OWN-2")]);
  registry.ledger.push({ ...registry.ledger.at(-1)!, mark: "400001999999998" });
  const { id } = await shop.read<DocumentObject>("documents show OWN-2");
  expectRefused(await credit("400001999999998"), 1, `a further MARK of the document ${id}`);
});

describe("when the authority", () => {
  test("does not answer, nothing is issued and it exits with 5", async () => {
    const { mark } = await issuedElsewhere();
    for (const fault of ["500 before filing", "cut before filing", "garbled after filing"] as const) {
      registry.next("RequestTransmittedDocs", fault);
      expectRefused(await credit(mark), 5, "could not be read");
    }
    expect((await credit(mark)).exitCode).toBe(0);
  });

  test("asks for a pause, the reading waits for it", async () => {
    const { mark } = await issuedElsewhere();
    registry.next("RequestTransmittedDocs", "429");
    expectSaid(await credit(mark, "--preview"), 0, "asks to wait 1 s");
  });

  test("refuses the account, it exits with 4 and the connection is invalid until it is verified", async () => {
    const { mark } = await issuedElsewhere();
    registry.next("RequestTransmittedDocs", "401");
    expectRefused(await credit(mark), 4, "refuses the user id or the subscription key");
    const [connection] = await shop.list<ConnectionObject>("connections list --merchant shop");
    expect(connection!.status).toBe("invalid");
    await shop.run(`connections verify ${connection!.id}`);
    expect((await credit(mark, "--preview")).exitCode).toBe(0);
  });
});

test("a failed credit note is not retried once another has credited the same line", async () => {
  const { mark } = await issuedElsewhere();
  registry.next("SendInvoices", "429");
  const env = { FISCAL_ISSUING__DELAYS_SECONDS: "[0]" };
  const failed = (await credit(mark, "--line 1 --json", { env })).json<DocumentObject>();
  expect(failed).toMatchObject({ status: "failed" });
  expect(await credited(mark, "--line 2")).toMatchObject({ status: "issued", net: 2100 });
  expect(await credited(mark, "--line 1:0,5")).toMatchObject({ status: "issued", net: 1500 });
  expectRefused(await shop.run(`documents retry ${failed.id}`), 1, "may have credited the same");
});

test("after --timeout without an answer it exits with 5, and the credit note stays pending", async () => {
  const { mark } = await issuedElsewhere();
  registry.next("SendInvoices", "hangs");
  const run = await credit(mark, "--timeout 1", { env: { FISCAL_SERVER__SHUTDOWN_SECONDS: "1" } });
  expectSaid(run, 5, "No longer waiting after 1 s. Documents still pending: 1;");
  const [, id] = run.stderr.match(/fiscal documents show (doc_\w+)/)!;
  const pending = { type: "5.1", status: "pending", stage: "reconciling" };
  expect(await shop.read(`documents show ${id!}`)).toMatchObject(pending);
});

test("in live mode the credit note is shown and asked about", async () => {
  await shop.run(["--live", ...CONNECT_SHOP]);
  const { mark } = await issuedElsewhere();
  expectRefused(await credit(mark, "--live"), 2, "--yes is missing");
  const declined = await credit(mark, "--live", answering({ "Issue this": "n\n" }));
  expect(declined).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(`credit of MARK ${mark}`) });
  const confirmed = await credit(mark, "--line 1 --live", answering({ "Issue this": "y\n" }));
  expect([confirmed.exitCode, creditsOf(mark)]).toEqual([0, 1]);
  expect([(await credit(mark, "--live --yes")).exitCode, creditsOf(mark)]).toEqual([0, 2]);
});
