/** The console's form for a new document, without scripts: docs/contract.md#console-form-for-a-document. */
// docs/contract.md#limits: external_reference
import { describe, expect, test } from "vitest";
import { endAllConsoleSessions } from "../../src/console/sign-in.ts";
import { NO_RETRIES } from "../helpers/appliance.ts";
import { CONNECT, openConnectingServer } from "../helpers/connecting.ts";
import { buildDocument } from "../helpers/documents.ts";
import { expectPage, fieldsOf, openVisitor, type Shown, signedIn, textOf } from "../helpers/console.ts";
import { forAllTests } from "../helpers/set-up.ts";

const server = forAllTests(() => openConnectingServer({ env: NO_RETRIES }));
const visitor = forAllTests(() => signedIn(server));

const PATH = "/console/new";
const RECEIPT = { type: "11.1", prices: "net", payment: "cash" };
const COFFEE = { "description-1": "Καφές", "quantity-1": "2", "price-1": "2,50", "vat-1": "standard" };
const SALE = { ...RECEIPT, ...COFFEE };

async function preview(changes: Record<string, string>, by = visitor): Promise<Shown> {
  return by.submit(`${PATH}/preview`, await by.get(PATH), changes);
}

/** The document to which the reply to an issued form leads. */
async function issuedBy(reply: Shown) {
  expect(reply.status).toBe(303);
  await server.settle();
  const id = reply.headers.get("location")!.split("/").at(-1)!;
  const { body } = await server.get(`/api/v1/documents/${id}/contents`);
  return { id, ...body.data.document };
}

const count = async () => (await server.read("/api/v1/documents?limit=100")).length;

describe("the form", () => {
  test("issues what the preview shows, and leads to the document with its MARK and PDF", async () => {
    const before = await count();
    const shown = await preview({ ...SALE, "vat-1": "reduced", "unit-1": "kg", reference: "ORDER-7" });
    expectPage(shown, 200, "Καφές", "€5.65", "€0.65", "not reserved", "Cash");
    expect(await count()).toBe(before);
    const done = await visitor.submit(PATH, shown);
    const { id, ...document } = await issuedBy(done);
    expect(document).toMatchObject({
      type: "11.1",
      lines: [{ description: "Καφές", quantity: "2", unit: "kg", unit_price: 250, vat_category: "reduced" }],
      payments: [{ method: "cash", amount: 565 }],
    });
    const page = await visitor.follow(done);
    expect(page.html).toContain("The document was accepted");
    expect(page.html).toContainAll(/MARK<\/dt><dd>[0-9]+</, `/console/documents/${id}/pdf`);
  });

  test("shows a quantity in the form of its language, and a description as it is", async () => {
    const line = { "description-1": "-", "quantity-1": "1234,5", "price-1": "1", "unit-1": "kg" };
    const shown = textOf(await preview({ ...SALE, ...line, notes: "-" }));
    expect(shown).toContainAll("1 - 1,234.5 kg €1.00 €1,234.50 24% €296.28", "Notes -");
  });

  test("has a withheld tax, notes and days, which a repetition has too", async () => {
    const more = {
      withheld: "8%",
      notes: "Ευχαριστούμε",
      due_date: "2026-11-30",
      delivery_date: "2026-11-01",
    };
    const sale = {
      ...SALE,
      type: "2.1",
      payment: "on_credit",
      customer: "094012834",
      "price-1": "50",
      ...more,
    };
    const shown = await preview(sale);
    expect(shown.html).toContainAll("Withheld tax 8%", "€8.00", "Payable", "€116.00", "Ευχαριστούμε");
    const { id, ...document } = await issuedBy(await visitor.submit(PATH, shown));
    expect(document).toMatchObject({
      taxes: [{ kind: "withheld", category: 7, base: 10_000, amount: 800 }],
      payments: [{ method: "on_credit", amount: 11_600 }],
      notes: "Ευχαριστούμε",
      due_date: "2026-11-30",
      delivery_date: "2026-11-01",
    });
    expect(fieldsOf(await visitor.get(`/console/documents/${id}/repeat`))).toMatchObject({
      ...more,
      withheld: "category 7",
    });
    const refused = await preview({ ...sale, withheld: "4%" });
    expect([refused.status, refused.html]).toEqual([400, expect.stringContaining("6: 4% other goods")]);
    const merchant = server.merchant;
    const lines = document["lines"];
    const taxes = [{ kind: "fees", amount: 1 }];
    const { body } = await server.post("/api/v1/documents", {
      merchant,
      document: { ...document, lines, taxes, payments: undefined },
    });
    await server.settle();
    const other = await visitor.get(`/console/documents/${body.data.id}/repeat`);
    expect([other.status, other.html]).toEqual([409, expect.stringContaining("this form takes only one")]);
  });

  test("takes prices with VAT to the cent, where that needs two lines", async () => {
    const shown = await preview({ ...SALE, prices: "gross", "quantity-1": "1", "price-1": "0,03" });
    const { lines, totals } = await issuedBy(await visitor.submit(PATH, shown));
    expect([lines.length, totals.gross]).toEqual([2, 3]);
  });

  test("suggests type, prices, VAT and payment of the merchant's last document, and offers its customers", async () => {
    const customer = { customer: "094012834", customer_name: "ΑΛΦΑ ΑΕ" };
    await issuedBy(
      await visitor.submit(PATH, await preview({ ...SALE, ...customer, type: "2.1", payment: "pos" })),
    );
    await server.appliance.store.flush();
    const form = await visitor.get(PATH);
    expect(fieldsOf(form)).toMatchObject({ type: "2.1", payment: "pos", "vat-1": "standard" });
    expect(form.html).toContain('<option value="094012834">ΑΛΦΑ ΑΕ</option>');
  });

  test("fills in the name and address of a tax number, before the preview or with it", async () => {
    const typed = { ...SALE, type: "1.1", payment: "on_credit", customer: "EL094014201" };
    const form = await visitor.get(PATH);
    const found = await visitor.submit(`${PATH}/change`, form, { ...typed, act: "find" });
    const { customer_name: name, customer_city: city } = fieldsOf(found);
    expect(name).not.toBe("");
    expect(fieldsOf(found)).toMatchObject({ key: fieldsOf(form)["key"], "description-1": "Καφές" });
    const shown = await preview(typed);
    expect(shown.html).toContain(name);
    const document = await issuedBy(await visitor.submit(PATH, shown));
    expect(document.customer).toMatchObject({ tax_id: { country: "GR" }, name, address: { city } });
  });

  test("gives a new tax number its own name and address, and keeps those that were typed for it", async () => {
    const typed = { ...SALE, type: "1.1", payment: "on_credit" };
    const first = await preview({
      ...typed,
      customer: "094012834",
      customer_name: "ΑΛΦΑ ΑΕ",
      customer_city: "Αθήνα",
    });
    const back = await visitor.submit(`${PATH}/change`, first);
    expect(fieldsOf(back)).toMatchObject({ customer_name: "ΑΛΦΑ ΑΕ", former: "094012834" });
    const customer = "094014201";
    expect((await visitor.submit(`${PATH}/preview`, back, { customer })).html).not.toContain("ΑΛΦΑ ΑΕ");
    const own = { customer_name: "ΒΗΤΑ ΑΕ", customer_street: "Οδός", customer_city: "Βόλος" };
    const changed = await visitor.submit(`${PATH}/change`, back, { ...own, customer, act: "add" });
    expect(fieldsOf(changed)).toMatchObject({ ...own, customer, former: customer });
  });

  test("says at once that a number has a wrong check digit", async () => {
    const found = await visitor.submit(`${PATH}/customer`, await visitor.get(PATH), {
      customer: "094012835",
    });
    expectPage(found, 400, "has a wrong check digit");
    expect(found.html).toMatch(/id="customer"[^>]*aria-invalid="true"/);
  });

  test("looks up a customer who is remembered without a name", async () => {
    const customer = { tax_id: { country: "GR", code: "090000045" } };
    await server.issue({ document: buildDocument("1.1", { customer }) });
    await server.appliance.store.flush();
    const typed = { type: "1.1", customer: "090000045", act: "find" };
    const found = await visitor.submit(`${PATH}/change`, await visitor.get(PATH), typed);
    expect(fieldsOf(found)["customer_name"]).not.toBe("");
  });

  test("takes several payments, the first for what the others leave", async () => {
    const paid = { payment: "cash", payment_2: "pos", paid_2: "4,00", payment_3: "cheque", paid_3: "0,20" };
    const shown = await preview({ ...SALE, ...paid });
    const { id, payments } = await issuedBy(await visitor.submit(PATH, shown));
    const expected = [
      { method: "cash", amount: 200 },
      { method: "pos", amount: 400 },
      { method: "cheque", amount: 20 },
    ];
    expect(payments).toEqual(expected);
    expect(fieldsOf(await visitor.get(`/console/documents/${id}/repeat`))).toMatchObject({
      ...paid,
      paid_3: "0.20",
      paid_2: "4.00",
    });
    const withheld = await visitor.submit(PATH, await preview({ ...SALE, ...paid, withheld: "20%" }));
    expect((await issuedBy(withheld)).payments).toEqual([
      { method: "cash", amount: 100 },
      ...expected.slice(1),
    ]);
    const whole = await visitor.submit(PATH, await preview({ ...SALE, payment_2: "pos", paid_2: "6,20" }));
    expect((await issuedBy(whole)).payments).toEqual([{ method: "pos", amount: 620 }]);
    const wrong = await preview({ ...SALE, payment_2: "pos", paid_2: "7", payment_4: "pos" });
    expectPage(wrong, 400, "more than the whole amount");
    expect(wrong.html).toMatch(/id="paid_4"[^>]*aria-invalid="true"/);
  });

  test("takes no more characters than the API", async () => {
    const { html } = await visitor.get(PATH);
    for (const [name, most] of [
      ["series", 20],
      ["reference", 200],
      ["customer_city", 150],
      ["description-1", 300],
    ])
      expect(html).toMatch(new RegExp(`id="${name}"[^>]* maxlength="${most}"`));
  });

  test("adds, moves and removes lines with buttons", async () => {
    let page = await visitor.get(PATH);
    const press = async (act: string, changes = {}) => {
      page = await visitor.submit(`${PATH}/change`, page, { ...changes, act });
    };
    await press("add", { ...COFFEE, prices: "net", "description-3": "Νερό", "vat-3": "reduced" });
    expect(page.html).toMatch(/id="description-4"[^>]*autofocus/);
    await press("up-3");
    await press("down-1");
    await press("remove-3");
    expect(fieldsOf(page)).toMatchObject({ "description-1": "Νερό", "vat-1": "reduced", "price-2": "2,50" });
    expect(page.html).not.toContain('id="description-4"');
    expect(page.html).toMatch(/id="totals"[^>]*>.*€6\.20/);
  });

  test("can be opened again from the preview, with what was typed", async () => {
    const form = await visitor.get(PATH);
    const shown = await visitor.submit(`${PATH}/preview`, form, SALE);
    expect(fieldsOf(await visitor.submit(`${PATH}/change`, shown))).toEqual({ ...fieldsOf(form), ...SALE });
  });

  test("is in Greek for a Greek browser", async () => {
    const { html } = await visitor.get(PATH, { "accept-language": "el" });
    expect(html).toContainAll("Νέο παραστατικό", "24% κανονικός", "Προσθήκη γραμμής", "Μετρητά", "με ΦΠΑ");
  });
});

describe("a form issues once", () => {
  test("when it is submitted twice at the same time, and once more later", async () => {
    const before = await count();
    const shown = await preview(SALE);
    const replies = await Promise.all([visitor.submit(PATH, shown), visitor.submit(PATH, shown)]);
    replies.push(await visitor.submit(PATH, shown));
    expect(new Set(replies.map(({ headers }) => headers.get("location"))).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  test("also when it is opened again after issuing and changed: it says so, and only then issues another", async () => {
    const before = await count();
    const form = await visitor.get(PATH);
    await visitor.submit(PATH, await visitor.submit(`${PATH}/preview`, form, SALE));
    const changed = await visitor.submit(`${PATH}/preview`, form, { ...SALE, "price-1": "3" });
    const refused = await visitor.submit(PATH, changed);
    expectPage(refused, 409, "has already issued a document");
    expect(fieldsOf(refused)["price-1"]).toBe("3");
    expect(await count()).toBe(before + 1);
    await visitor.submit(PATH, await visitor.submit(`${PATH}/preview`, refused));
    expect(await count()).toBe(before + 2);
  });

  test("and nothing without the preview of the same amount", async () => {
    const before = await count();
    const shown = await preview(SALE);
    expectPage(await visitor.submit(PATH, shown, { "price-1": "9" }), 200, "<h1>Preview</h1>");
    expect(await count()).toBe(before);
  });
});

test("every mistake is described at its field, and everything typed is kept", async () => {
  const typed = {
    ...SALE,
    type: "1.1",
    customer: "094012835",
    customer_city: "Αθήνα",
    issue_date: "2099-01-01",
    branch: "x",
    "quantity-1": "two",
    "description-2": "Νερό",
    "price-2": "1.234",
    "vat-3": "exempt",
    "price-3": "1",
  };
  const form = await visitor.get(PATH);
  const shown = await visitor.submit(`${PATH}/preview`, form, typed);
  expect(shown.status).toBe(400);
  expect(fieldsOf(shown)).toMatchObject(typed);
  const wrong = [...shown.html.matchAll(/<(?:input|select) id="([^"]+)"[^>]*aria-invalid="true"/g)];
  const expected = ["issue_date", "customer", "customer_postal_code", "quantity-1", "price-2"];
  expected.push("description-3", "exemption-3", "branch");
  expect(wrong.map(([, name]) => name)).toEqual(expected);
  for (const name of expected) {
    expect(shown.html).toMatch(new RegExp(`id="${name}"[^>]*aria-describedby="[^"]*${name}-mistake"`));
    expect(shown.html).toMatch(new RegExp(`id="${name}-mistake">[^<]+<`));
  }
});

test("a form without lines is refused at its first line", async () => {
  expectPage(await preview(RECEIPT), 400, /id="description-1"[^>]*aria-invalid="true"/);
});

test("a session that has ended keeps the form until the next one, and it still issues once", async () => {
  const before = await count();
  const mine = openVisitor(server.appliance);
  await mine.get("/console/sign-in");
  await mine.signIn("test");
  const shown = await preview(SALE, mine);
  await endAllConsoleSessions(server.appliance);
  await visitor.signIn("test");
  const kept = await mine.submit(PATH, shown);
  expectPage(kept, 401, "nothing was issued");
  await mine.signIn("test");
  const form = await mine.submit("/console/new/change", kept);
  expect(fieldsOf(form)).toMatchObject({ ...SALE, key: fieldsOf(shown)["key"] });
  expect(await count()).toBe(before);
  await issuedBy(await mine.submit(PATH, await mine.submit(`${PATH}/preview`, form, {})));
  expect(await count()).toBe(before + 1);
});

test("one that was replaced keeps the form too, and another site's form is refused", async () => {
  const mine = await signedIn(server);
  const shown = await preview(SALE, mine);
  await mine.signIn("test");
  const kept = await mine.submit(PATH, shown);
  expectPage(kept, 403, "The session of this form has ended");
  expect(fieldsOf(await mine.submit("/console/new/change", kept))).toMatchObject(SALE);
  const headers = { "sec-fetch-site": "cross-site" };
  const foreign = await mine.post(PATH, fieldsOf(shown), { headers });
  expect([foreign.status, foreign.html.includes("Καφές")]).toEqual([403, false]);
});

test("in live mode the confirmation names the merchant, the count and the sum", async () => {
  await server.post(`/api/v1/merchants/${server.merchant}/connections`, CONNECT, { key: server.liveKey });
  const { name } = await server.read(`/api/v1/merchants/${server.merchant}`);
  const live = await signedIn(server, "live");
  const shown = await preview(SALE, live);
  expect(shown.html).toContain(
    `Issue 1 document of €6.20, dated 21 Nov 2026, for ${name}? It cannot be undone.`,
  );
  server.provider.issues("400000000000001");
  expect((await live.submit(PATH, shown)).status).toBe(303);
  await server.settle();
});

test("an issued document can be repeated with all that it contains", async () => {
  const line = { ...COFFEE, "quantity-1": "01,234", "vat-1": "exempt", "exemption-1": "14" };
  const customer = { customer: "DE129273398", customer_name: "Beispiel GmbH", customer_street: "Weg" };
  const place = { customer_number: "1", customer_postal_code: "10115", customer_city: "Berlin" };
  const typed = { ...SALE, ...line, ...customer, ...place, type: "2.1", payment: "pos", series: "ΠΑΡ" };
  const { id, ...first } = await issuedBy(await visitor.submit(PATH, await preview(typed)));
  const path = `/console/documents/${id}/repeat`;
  expect((await visitor.get(`/console/documents/${id}`)).html).toContain(`href="${path}"`);
  const shown = await visitor.submit(`${PATH}/preview`, await visitor.get(path));
  expect(shown.html).toContain("ΠΑΡ 2, not reserved");
  const { id: _second, ...again } = await issuedBy(await visitor.submit(PATH, shown));
  expect(again).toEqual(first);
});

test("with several merchants one is chosen first, and remembered", async () => {
  const other = { external_id: "other", name: "Δεύτερη ΙΚΕ", tax_id: "094014201" };
  const { id } = (await server.post("/api/v1/merchants", other)).body.data;
  const mine = await signedIn(server);
  const choice = await mine.get(PATH);
  expect(choice.html).toContain("Which merchant issues it?");
  const form = await mine.follow(await mine.submit(`${PATH}/change`, choice, { merchant: id }));
  const changed = await mine.submit(`${PATH}/change`, form, { ...SALE, act: "merchant" });
  const back = await mine.submit(`${PATH}/change`, changed);
  expect(fieldsOf(back)).toMatchObject({ ...SALE, merchant: id });
  await issuedBy(await mine.submit(PATH, await mine.submit(`${PATH}/preview`, back, {})));
  expect(fieldsOf(await mine.get(PATH))["merchant"]).toBe(id);
});

test("a held appliance shows the reason instead of the form", async () => {
  const form = await visitor.get(`${PATH}?merchant=${server.merchant}`);
  await server.hold();
  for (const refused of [await visitor.get(PATH), await visitor.submit(`${PATH}/preview`, form, SALE)]) {
    expectPage(refused, 503, "is on hold after a restore");
  }
});
