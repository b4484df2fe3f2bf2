/** `fiscal documents credit --mark`: docs/contract.md#crediting-a-document-issued-elsewhere. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import type { FakeRegistry } from "../../helpers/fake-registry/server.ts";
import { answering, expectRefused, type Run, type RunOptions } from "../../helpers/program.ts";
import { addShop, invoice, lines, receipt } from "../../helpers/receipts.ts";
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
async function issuedElsewhere(
  changes: Record<string, unknown> = {},
  type: "invoice" | "receipt" = "invoice",
) {
  const { document, ...rest } = type === "invoice" ? invoice(`X-${++issued}`) : receipt(`X-${++issued}`);
  const body = { ...rest, document: { ...document, ...changes } };
  const run = await program.run("documents issue - --merchant shop", { stdin: lines([body]) });
  expect(run.exitCode).toBe(0);
  registry.requests.splice(0);
  return registry.ledger.at(-1)!;
}

function credit(mark: string, ...args: string[]): Promise<Run> {
  return shop.run(["documents", "credit", "--mark", mark, "--merchant", "shop", ...args]);
}

describe("an invoice that another program issued", () => {
  test("is shown by --preview with its lines and their classification, and nothing is issued", async () => {
    const { mark } = await issuedElsewhere({
      lines: [
        {
          ...(invoice("").document["lines"] as object[])[0],
          income_classification: { category: "category1_2", type: "E3_561_007" },
        },
      ],
      totals: { net: 3000, vat: 720, gross: 3720 },
    });
    const shown = await credit(mark, "--preview");
    expect(shown.exitCode).toBe(0);
    expect(shown.stdout).toMatch(new RegExp(`^document +credit of MARK ${mark}$`, "m"));
    expect(shown.stdout).toContain("Πίστωση γραμμής 1");
    expect(shown.stdout).toContain("category1_2 E3_561_007");
    expect(shown.stdout).toMatch(/^gross +37\.20 EUR$/m);
    expect(registry.requests).toEqual(["RequestTransmittedDocs"]);
  });

  test("is credited in parts and then to the cent, and each reading is logged as a lookup", async () => {
    const original = await issuedElsewhere();
    const part = await credit(
      original.mark,
      "--line",
      "1:0,25",
      "--reference",
      `C-${original.mark}`,
      "--json",
    );
    expect(part.json()).toMatchObject({ type: "5.1", status: "issued", net: 750, vat: 180 });
    expect(registry.requests).toEqual(["RequestTransmittedDocs", "SendInvoices 1"]);
    const rest = await credit(original.mark, "--date", "2025-01-20", "--json");
    expect(rest.json()).toMatchObject({ issue_date: "2025-01-20", net: 4350, vat: 1044 });
    expect(registry.ledger.at(-1)).toMatchObject({
      type: "5.1",
      correlated: [original.mark],
      counterpart: "094012834",
    });
    const calls = await shop.run("calls list --json");
    const { data } = calls.json<{ data: Record<string, unknown>[] }>();
    const reading = data.find(({ operation }) => operation === "lookup");
    expect(reading).toMatchObject({ provider: "registry_direct", outcome: "ok", document: null });
  });

  test("has nothing left after credits of it that name no lines", async () => {
    const { mark } = await issuedElsewhere();
    const { document } = invoice("");
    const body = { ...invoice(`N-${mark}`), document: { ...document, type: "5.1", original_marks: [mark] } };
    await shop.run("documents issue - --merchant shop", { stdin: lines([body]) });
    expectRefused(await credit(mark), 2, "Nothing of this document is left");
  });

  test("is credited once under the same idempotency key", async () => {
    const { mark } = await issuedElsewhere();
    const once = ["--line", "1", "--idempotency-key", `k-${mark}`, "--json"];
    const [first, again] = [await credit(mark, ...once), await credit(mark, ...once)];
    expect(again.json<DocumentObject>().id).toBe(first.json<DocumentObject>().id);
    expect(registry.ledger.filter(({ correlated }) => correlated.includes(mark))).toHaveLength(1);
  });

  test("to a customer abroad is credited with that customer's name and address", async () => {
    const customer = {
      tax_id: { country: "DE", code: "123456789" },
      name: "Beispiel & Söhne",
      address: { postal_code: "10115", city: "Berlin" },
    };
    const line = {
      description: "Consulting",
      quantity: "1",
      unit_price: 5000,
      vat_category: "exempt",
      vat_exemption: 16,
    };
    const totals = { net: 5000, vat: 0, gross: 5000 };
    const { mark, type } = await issuedElsewhere({ type: "2.1", customer, lines: [line], totals });
    expect(type).toBe("2.2");
    const { exitCode, stdout } = await credit(mark, "--preview");
    expect(exitCode).toBe(0);
    for (const text of ["Beispiel & Söhne", "Berlin", "50.00", "Credit of line 1"])
      expect(stdout).toContain(text);
  });

  test("is never credited beyond its lines", async () => {
    const { mark } = await issuedElsewhere();
    expectRefused(await credit(mark, "--line", "2:1,5"), 2, "at most 1, which is what is left");
    expectRefused(await credit(mark, "--line", "3"), 2, "from 1 to 2");
    await credit(mark);
    expectRefused(await credit(mark, "--line", "1"), 2, "Nothing of this document is left");
    expectRefused(await credit(mark, "--preview"), 2, "Nothing of this document is left");
    expect(registry.ledger.filter(({ correlated }) => correlated.includes(mark))).toHaveLength(1);
  });
});

describe("the original is refused", () => {
  test("without a name, with two names, without a merchant or with something that is no MARK", async () => {
    expectRefused(await shop.run("documents credit"), 2, "the document is missing");
    const both = ["documents", "credit", "I-1", "--mark", "400001900000001", "--merchant", "shop"];
    expectRefused(await shop.run(both), 2, "contradict each other");
    const alone = ["documents", "credit", "--mark", "400001900000001"];
    expectRefused(await shop.run(alone), 2, "--mark needs --merchant");
    expectRefused(await credit("0123"), 2, "must be a MARK");
    expect(registry.requests).toEqual([]);
  });

  test("if the authority has no such MARK, only those next to it", async () => {
    const [first] = [await issuedElsewhere(), await issuedElsewhere()];
    registry.ledger.splice(registry.ledger.indexOf(first), 1);
    expectRefused(await credit(first.mark), 3, "no document with this MARK");
  });

  test("if it is cancelled", async () => {
    const original = await issuedElsewhere();
    original.cancelledByMark = "400009999999999";
    expectRefused(await credit(original.mark), 1, "is cancelled");
  });

  test("if it is a receipt", async () => {
    const { mark } = await issuedElsewhere({}, "receipt");
    expectRefused(await credit(mark), 1, "of type 11.1; only sales and service invoices");
  });

  test("if another tax number issued it", async () => {
    const { mark } = await issuedElsewhere();
    const named = ["--external-id", "other", "--name", "Άλλη Α.Ε.", "--tax-id", "094012834"];
    await shop.run(["merchants", "add", ...named]);
    // With credentials of the wrong taxpayer.
    const credentials = ["--merchant", "other", "--provider", "registry_direct"];
    await shop.run(["connections", "add", ...credentials]);
    const run = await shop.run(`documents credit --mark ${mark} --merchant other`);
    expectRefused(run, 1, "by another tax number");
  });

  test("if a line has several classifications, saying how to credit it instead", async () => {
    const original = await issuedElsewhere();
    const { sent } = original;
    const more = sent.invoiceDetails.replace(/<incomeClassification>.*?<\/incomeClassification>/, "$&$&");
    original.sent = { ...sent, invoiceDetails: more };
    expectRefused(await credit(original.mark), 1, "as a 5.1 with lines of its own");
  });

  test("if a line has an exemption cause that is not known here", async () => {
    const original = await issuedElsewhere();
    const { sent } = original;
    const unknown = "$&<vatExemptionCategory>32</vatExemptionCategory>";
    original.sent = { ...sent, invoiceDetails: sent.invoiceDetails.replace("</vatCategory>", unknown) };
    expectRefused(await credit(original.mark), 1, "Line 1 of this document is of a kind");
  });

  test("if the merchant has no connection that can read it", async () => {
    await addShop(shop, "sandboxed");
    const run = await shop.run("documents credit --mark 400001900000001 --merchant sandboxed");
    expectRefused(run, 1, "connect it to registry_direct, or issue a 5.1");
  });
});

test("a document that was issued here is credited like any of ours, without asking the authority", async () => {
  const body = invoice("OWN-1");
  await shop.run("documents issue - --merchant shop", { stdin: lines([body]) });
  const { mark } = registry.ledger.at(-1)!;
  registry.requests.splice(0);
  const shown = await credit(mark, "--line", "1:1,5", "--preview");
  expect(shown.stdout).toContain("Καφές");
  expect(registry.requests).toEqual([]);
});

test("a further MARK of a document that was issued here is refused with that document", async () => {
  await shop.run("documents issue - --merchant shop", { stdin: lines([invoice("OWN-2")]) });
  registry.ledger.push({ ...registry.ledger.at(-1)!, mark: "400001999999998" });
  const shown = await shop.run("documents show OWN-2 --json");
  const { id } = shown.json<DocumentObject>();
  expectRefused(await credit("400001999999998"), 1, `a further MARK of the document ${id}`);
});

describe("when the authority", () => {
  test("does not answer, nothing is issued and it exits with 5", async () => {
    const { mark } = await issuedElsewhere();
    for (const fault of ["500 before filing", "cut before filing", "garbled after filing"] as const) {
      registry.next("RequestTransmittedDocs", fault);
      expectRefused(await credit(mark), 5, "could not be read");
    }
    expect((await credit(mark, "--json")).exitCode).toBe(0);
  });

  test("asks for a pause, the reading waits for it", async () => {
    const { mark } = await issuedElsewhere();
    registry.next("RequestTransmittedDocs", "429");
    const run = await credit(mark, "--preview");
    expect(run).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("asks to wait 1 s") });
  });

  test("refuses the account, it exits with 4 and the connection is invalid until it is verified", async () => {
    const { mark } = await issuedElsewhere();
    registry.next("RequestTransmittedDocs", "401");
    expectRefused(await credit(mark), 4, "refuses the user id or the subscription key");
    const list = await shop.run("connections list --merchant shop --json");
    const [{ id, status }] = list.json<{ data: [{ id: string; status: string }] }>().data;
    expect(status).toBe("invalid");
    await shop.run(`connections verify ${id}`);
    expect((await credit(mark, "--preview")).exitCode).toBe(0);
  });
});

test("a failed credit note is not retried once another has credited the same line", async () => {
  const { mark } = await issuedElsewhere();
  const env = { FISCAL_ISSUING__DELAYS_SECONDS: "[0]" };
  const failing = (line: string) => {
    registry.next("SendInvoices", "429");
    const args = ["documents", "credit", "--mark", mark, "--merchant", "shop", "--line", line, "--json"];
    return shop.run(args, { env });
  };
  const failed = await failing("1");
  expect(failed.json()).toMatchObject({ status: "failed" });
  const other = await credit(mark, "--line", "2", "--json");
  expect(other.json()).toMatchObject({ status: "issued", net: 2100 });
  const { id } = failed.json<DocumentObject>();
  const part = await credit(mark, "--line", "1:0,5", "--json");
  expect(part.json()).toMatchObject({ status: "issued", net: 1500 });
  expectRefused(await shop.run(`documents retry ${id}`), 1, "may have credited the same");
});

test("after --timeout without an answer it exits with 5, and the credit note stays pending", async () => {
  const { mark } = await issuedElsewhere();
  registry.next("SendInvoices", "hangs");
  const args = ["documents", "credit", "--mark", mark, "--merchant", "shop", "--timeout", "1"];
  const run = await shop.run(args, { env: { FISCAL_SERVER__SHUTDOWN_SECONDS: "1" } });
  expect(run.exitCode).toBe(5);
  expect(run.stderr).toContain("No longer waiting after 1 s. Documents still pending: 1;");
  const [, id] = run.stderr.match(/fiscal documents show (doc_\w+)/)!;
  const shown = await shop.run(`documents show ${id!} --json`);
  expect(shown.json()).toMatchObject({ type: "5.1", status: "pending", stage: "reconciling" });
});

test("in live mode the credit note is shown and asked about", async () => {
  const live = (args: string[], options: RunOptions = {}) => shop.run(["--live", ...args], options);
  await live(CONNECT_SHOP);
  const { mark } = await issuedElsewhere();
  const command = ["documents", "credit", "--mark", mark, "--merchant", "shop"];
  expectRefused(await live(command), 2, "--yes is missing");
  const declined = await live(command, answering({ "Issue this": "n\n" }));
  expect(declined).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(`credit of MARK ${mark}`) });
  const confirmed = await live(command, answering({ "Issue this": "y\n" }));
  expect(confirmed.exitCode).toBe(0);
  expect(registry.ledger.filter(({ correlated }) => correlated.includes(mark))).toHaveLength(1);
});
