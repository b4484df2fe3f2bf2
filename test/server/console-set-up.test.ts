import { describe, expect, test } from "vitest";
import { AWAY, openConnectingServer, REFUSED } from "../helpers/connecting.ts";
import { endAllConsoleSessions } from "../../src/console/sign-in.ts";
import { csrfOf, expectPage, fieldsOf, signedIn } from "../helpers/console.ts";
import { PROVIDER_A } from "../../src/providers/provider-a/description.ts";
import { openServer } from "../helpers/http.ts";
import { createScriptedProvider } from "../helpers/scripted-provider.ts";
import { closing, forEachTest } from "../helpers/set-up.ts";

const server = forEachTest(() => openConnectingServer({ env: { FISCAL_CONSOLE__MANAGE_KEYS: "true" } }));
const visitor = forEachTest(() => signedIn(server));

/** A PNG of one pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Fills in the form of a page like a browser, and submits it. */
async function fillIn(page: string, fields: Record<string, string>) {
  const shown = await visitor.get(page);
  return visitor.post(page, { ...fieldsOf(shown), ...fields }, { from: page });
}

describe("API keys", () => {
  test("are created with a secret that is shown once, and revoked after a question", async () => {
    const made = await fillIn("/console/keys/new", { name: "web shop", expires_in: "30" });
    const [secret = ""] = /fiscal_test_\w+/.exec((await visitor.follow(made)).html) ?? [];
    expect((await server.get("/api/v1/merchants", { key: secret })).status).toBe(200);
    const list = (await visitor.get("/console/keys")).html;
    expect(list).toContain("web shop");
    expect(list).not.toContain(secret);
    const [page = ""] =
      /\/console\/keys\/key_\w+\/revoke(?="[^>]*>Revoke<span class="unseen"> web shop)/.exec(list) ?? [];
    expect((await visitor.get(page)).html).toContain("Revoke this key?");
    expect((await visitor.follow(await visitor.post(page))).html).toContain("It was saved.");
    expect((await server.get("/api/v1/merchants", { key: secret })).status).toBe(401);
  });

  test("of the other mode cannot be seen or revoked", async () => {
    const live = await signedIn(server, "live");
    const [id = ""] = /key_\w+/.exec((await live.get("/console/keys")).html) ?? [];
    expect(id).not.toBe("");
    expect((await visitor.get("/console/keys")).html).not.toContain(id);
    expect((await visitor.post(`/console/keys/${id}/revoke`)).status).toBe(404);
  });

  test("have no pages until the operator allows it", async () => {
    await using other = await closing(openConnectingServer());
    const guest = await signedIn(other);
    expect((await guest.get("/console")).html).not.toContain("/console/keys");
    for (const path of ["/console/keys", "/console/keys/new"])
      expect((await guest.get(path)).status).toBe(404);
    expect((await guest.post("/console/keys/new", { name: "x" })).status).toBe(404);
  });
});

describe("a merchant", () => {
  test("that is not among the newest hundred is offered by the forms, and can be chosen on its page", async () => {
    for (let index = 0; index < 100; index += 1)
      await server.post("/api/v1/merchants", { external_id: `shop-${index}`, name: `Shop ${index}` });
    for (const form of ["/console/upload", "/console/credit"])
      expect((await visitor.get(form)).html).toContain(`<option value="${server.merchant}"`);
    const page = `/console/merchants/${server.merchant}`;
    expect(fieldsOf(await visitor.get(page))).toMatchObject({ shop: server.merchant, next: page });
    await visitor.post("/console/merchant", { shop: server.merchant, next: page }, { from: page });
    const chosen = (await visitor.get(page)).html;
    expect(chosen).toContain(`<option value="${server.merchant}" selected`);
    expect(chosen).not.toContain("Work for this merchant");
  });

  test("is added once, however often its form is sent, and changed", async () => {
    const page = "/console/merchants/new";
    const shown = await visitor.get(page);
    const fields = { ...fieldsOf(shown), external_id: "bakery", name: "Φούρνος ΙΚΕ", tax_id: "094014201" };
    const send = () =>
      visitor.post(page, { ...fields, metadata: "plan=basic\nregion=north" }, { from: page });
    const [done, again] = [await send(), await send()];
    expect(again.headers.get("location")).toBe(done.headers.get("location"));
    const id = done.headers.get("location")!.split("/").at(-1)!;
    const stored = async () => await server.read(`/api/v1/merchants/${id}`);
    expect(await stored()).toMatchObject({ branch: 0, metadata: { plan: "basic", region: "north" } });
    await fillIn(`/console/merchants/${id}/details`, { branch: "2", metadata: "plan=full" });
    expect(await stored()).toMatchObject({ name: "Φούρνος ΙΚΕ", branch: 2, metadata: { plan: "full" } });
    await fillIn(`/console/merchants/${id}/details`, { metadata: "" });
    expect((await stored()).metadata).toEqual({});
  });

  test("that was typed is kept while its author signs in again", async () => {
    const page = "/console/merchants/new";
    const shown = await visitor.get(page);
    const typed: Record<string, string> = {
      ...fieldsOf(shown),
      name: "Φούρνος ΙΚΕ",
      metadata: "plan=basic\r\nregion=north",
    };
    await endAllConsoleSessions(server.appliance);
    const kept = await visitor.post(page, typed, { csrf: csrfOf(shown.html) });
    expectPage(kept, 401, `action="${page}/change"`);
    await visitor.signIn("test");
    const again = await visitor.post(`${page}/change`, fieldsOf(kept));
    expect([again.status, fieldsOf(again)["name"]]).toEqual([200, "Φούρνος ΙΚΕ"]);
    expect(fieldsOf(again)["key"]).toBe(typed["key"]);
  });

  test("may be called what every object has", async () => {
    const named = { external_id: "toString", name: "constructor", tax_id: "094014201" };
    await server.post("/api/v1/merchants", named);
    expectPage(await visitor.get("/console/merchants"), 200, ...Object.values(named));
  });

  test("is archived after a question, and issues again", async () => {
    const page = `/console/merchants/${server.merchant}`;
    const stored = async () => await server.read(`/api/v1/merchants/${server.merchant}`);
    expect((await visitor.get(page)).html).toContain(`href="${page}/archive"`);
    expect((await visitor.get(`${page}/archive`)).html).toContain("Archive this merchant?");
    expect((await stored()).archived).toBe(false);
    expectPage(await visitor.follow(await visitor.post(`${page}/archive`)), 200, "It was saved.");
    expect((await stored()).archived).toBe(true);
    await visitor.post(`${page}/unarchive`);
    expect((await stored()).archived).toBe(false);
    expect((await visitor.post(`${page}/archive`, {}, { csrf: null })).status).toBe(403);
    expect((await stored()).archived).toBe(false);
  });

  test("shows what it lacks for live mode", async () => {
    const { html } = await visitor.get(`/console/merchants/${server.merchant}`);
    expect(html).toContain("There is no active live connection");
  });
});

describe("a merchant's settings", () => {
  const stored = async () => await server.read(`/api/v1/merchants/${server.merchant}/settings`);

  test("keep what the form leaves out, and show the paper", async () => {
    const branches = { "3": { phone: "2310123456" } };
    await server.request("PUT", `/api/v1/merchants/${server.merchant}/settings`, {
      body: { numbering: { "1.1": { series: "A" } }, paper: { branches, phone: "1" } },
    });
    const page = `/console/merchants/${server.merchant}/paper`;
    const fields = { ...fieldsOf(await visitor.get(page)), "paper.address": "Ερμού 1", "paper.phone": "" };
    const file = { name: "logo.png", bytes: Buffer.from(PIXEL, "base64") };
    expect((await visitor.upload(page, { ...fields, "paper.receipt": "1" }, file)).status).toBe(303);
    expect(await stored()).toMatchObject({ numbering: { "1.1": { series: "A" } } });
    expect((await stored()).paper).toMatchObject({ branches, address: "Ερμού 1", receipt: true });
    expect((await stored()).paper.phone).toBeUndefined();
    const shown = (await visitor.get(page)).html;
    expect(shown).toContain(`<img class="logo" src="/console/merchants/${server.merchant}/logo"`);
    const logo = await visitor.get(`/console/merchants/${server.merchant}/logo`);
    expect(logo.headers.get("content-type")).toBe("image/png");
    expectPage(await visitor.get(`/console/merchants/${server.merchant}/sample.pdf`), 200, /^%PDF-/);
    await visitor.upload(page, { ...fieldsOf(await visitor.get(page)), "paper.logo:remove": "1" });
    expect((await stored()).paper.logo).toBeUndefined();
    expect((await visitor.get(`/console/merchants/${server.merchant}/logo`)).status).toBe(404);
  });

  test("have the paper of branches, and bank accounts", async () => {
    const merchant = `/console/merchants/${server.merchant}`;
    const opened = await visitor.get(`${merchant}/branches?number=12`);
    expect(opened.headers.get("location")).toBe(`${merchant}/branches/12`);
    const wrong = await visitor.get(`${merchant}/branches?number=x`);
    expect(wrong.headers.get("location")).toBe(`${merchant}/paper`);
    const page = `${merchant}/branches/12`;
    expect((await visitor.get(page)).html).toContain("<h1>Branch 12</h1>");
    await fillIn(page, { "paper.branches.12.address": "Τσιμισκή 3, 54625 Θεσσαλονίκη" });
    const branches = { "12": { address: "Τσιμισκή 3, 54625 Θεσσαλονίκη" } };
    expect((await stored()).paper).toEqual({ branches });
    const accounts = "Τράπεζα Α=Β=GR16 0110 1250 0000 0001 2300 695";
    const paper = fieldsOf(await visitor.get(`${merchant}/paper`));
    await visitor.upload(`${merchant}/paper`, { ...paper, "paper.bank_accounts": accounts });
    const iban = "GR1601101250000000012300695";
    const kept = { branches, bank_accounts: [{ bank: "Τράπεζα Α=Β", iban }] };
    expect((await stored()).paper).toEqual(kept);
    const shown = await visitor.get(`${merchant}/paper`);
    expect(fieldsOf(shown)["paper.bank_accounts"]).toBe(`Τράπεζα Α=Β=${iban}`);
    expect(shown.html).toContain(`href="${page}"`);
    const wrongly = { ...fieldsOf(shown), "paper.bank_accounts": "Τράπεζα Α=Β=GR00" };
    expect((await visitor.upload(`${merchant}/paper`, wrongly)).html).toContain(
      'id="paper.bank_accounts-mistake"',
    );
    await visitor.upload(`${merchant}/paper`, { ...fieldsOf(shown), "paper.bank_accounts": "" });
    await fillIn(page, { "paper.branches.12.address": "" });
    expect((await stored()).paper.bank_accounts ?? []).toEqual([]);
    expect((await stored()).paper.branches).toBeUndefined();
  });

  test("number and classify, and say what is wrong at its field", async () => {
    const page = `/console/merchants/${server.merchant}/issuing`;
    const series = { "numbering.1.1.series": "B", "numbering.1.1.next_number": "x" };
    const refused = await fillIn(page, { ...series, "classification.2.1.category": "category1_3" });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain(
      'value="x" aria-describedby="numbering.1.1.next_number-mistake" aria-invalid="true"',
    );
    expect(refused.html).toMatch(/href="#classification\.2\.1\.category">[^<]*<\/a>: must have a type/);
    expect(refused.html).toContain(">E3_561_003 retail, to private customers</option>");
    await fillIn(page, {
      ...series,
      "numbering.1.1.next_number": "7",
      "classification.2.1.category": "category1_3",
      "classification.2.1.type": "E3_561_001",
      closed_until: "2026-10-31",
    });
    expect(await stored()).toMatchObject({
      numbering: { "1.1": { series: "B", next_number: 7 } },
      classification: { "2.1": { category: "category1_3", type: "E3_561_001" } },
      closed_until: "2026-10-31",
    });
    await fillIn(page, { closed_until: "", "numbering.1.1.series": "", "numbering.1.1.next_number": "" });
    expect(await stored()).toHaveProperty("numbering", {});
    expect(await stored()).toMatchObject({ closed_until: null });
  });
});

test("a webhook endpoint is changed, and gets a new secret that is shown once", async () => {
  const old = { url: "http://127.0.0.1:9/old", enabled_events: ["document.issued"], description: "shop" };
  const { id, secret } = (await server.post("/api/v1/webhook_endpoints", old)).body.data;
  const page = `/console/webhooks/${id}`;
  const stored = async () => await server.read(`/api/v1/webhook_endpoints/${id}`);
  const typed = { url: "http://127.0.0.1:9/new", description: "", "enabled_events:document.failed": "1" };
  expect((await fillIn(`${page}/details`, typed)).headers.get("location")).toBe(page);
  expect(await stored()).toMatchObject({ url: typed.url, description: null });
  expect((await stored()).enabled_events.toSorted()).toEqual(["document.failed", "document.issued"]);
  expectPage(await fillIn(`${page}/details`, { url: "shop" }), 400, 'id="url-mistake"');
  const noEvents = await visitor.post(`${page}/details`, { url: typed.url }, { from: `${page}/details` });
  expect(noEvents.html).toMatch(/id="enabled_events-mistake">must have at least/);
  const rotated = await fillIn(`${page}/secret`, { overlap_seconds: "60" });
  // Without it a reload would submit the form again, and rotate the secret again.
  expect([rotated.status, rotated.headers.get("location")]).toEqual([303, page]);
  const cookie = visitor.cookies.get("fiscal_console_flash")!;
  const [fresh = ""] = /whsec_[\w+/=]+/.exec((await visitor.follow(rotated)).html) ?? [];
  expect([fresh !== "", fresh !== secret]).toEqual([true, true]);
  const [, , sealed = ""] = decodeURIComponent(cookie).split("|");
  expect(Buffer.from(sealed, "base64url").includes(fresh)).toBe(false);
  const other = await signedIn(server);
  other.cookies.set("fiscal_console_flash", cookie);
  expect((await other.get(page)).html).not.toContainAll(fresh, "shown only now");
  expect((await visitor.get(page)).html).not.toContainAll(fresh, "shown only now");
  // Whoever finds both cookies in a log of a proxy later.
  visitor.cookies.set("fiscal_console_flash", cookie);
  await endAllConsoleSessions(server.appliance);
  expect((await visitor.get("/console/sign-in")).html).not.toContainAll(fresh, "shown only now");
});

test("a webhook endpoint is created with its secret shown once, and gets the newest event as a test", async () => {
  const page = "/console/webhooks/new";
  expectPage(await fillIn(page, { url: "shop" }), 400, 'id="url-mistake"');
  const made = await fillIn(page, {
    url: "http://127.0.0.1:9/hook",
    "enabled_events:document.issued": "1",
  });
  const endpoint = made.headers.get("location")!;
  expect((await visitor.follow(made)).html).toContain("whsec_");
  const none = await visitor.follow(await visitor.post(`${endpoint}/test`));
  expect(none.html).toContain("There is no event of its types yet");
  await fillIn(page, { url: "http://127.0.0.1:9/all", "enabled_events:*": "1" });
  const [all = ""] = /\/console\/webhooks\/we_\w+/.exec((await visitor.get("/console/webhooks")).html) ?? [];
  await server.post("/api/v1/merchants", { external_id: "x", name: "x", tax_id: "094014201" });
  expectPage(await visitor.follow(await visitor.post(`${all}/test`)), 200, "The newest event is being sent.");
});

describe("a provider's form", () => {
  const SECRETS = { "credentials.user_id": " user-of-the-shop", "credentials.subscription_key": "key <1>" };
  const path = () => `/console/merchants/${server.merchant}/connect/registry_direct`;
  const storedConnections = async () => await server.read(`/api/v1/merchants/${server.merchant}/connections`);

  test("is offered for the merchant, in both languages, and connects it with what is typed", async () => {
    for (const page of ["/console/connections", `/console/merchants/${server.merchant}`])
      expect((await visitor.get(page)).html).toContain(`href="${path()}"`);
    const { html } = await visitor.get(path());
    expect(html).toContain("Register in myDATA’s test environment");
    const { name } = await server.read(`/api/v1/merchants/${server.merchant}`);
    expect(html).toMatch(new RegExp(`<h1>Connect to [^<]+ · ${name}</h1>`));
    visitor.cookies.set("fiscal_console_language", "el");
    const greek = (await visitor.get(path())).html;
    expect(greek).toContainAll("Πού θα βρείτε τα στοιχεία", 'type="password"');
    visitor.cookies.delete("fiscal_console_language");
    expectPage(await visitor.follow(await fillIn(path(), SECRETS)), 200, "the connection is active");
    expect(server.verified.at(-1)).toEqual({
      user_id: " user-of-the-shop",
      subscription_key: "key <1>",
    });
    expectPage(await fillIn(path(), SECRETS), 409, "already has an active connection");
  });

  test("never shows a secret again: after a mistake, a refusal, or the end of the session", async () => {
    const half = await fillIn(path(), { "credentials.user_id": "user-of-the-shop" });
    expectPage(half, 400, 'href="#credentials.subscription_key"');
    expect(half.html).not.toContain("user-of-the-shop");
    const empty = await fillIn(path(), {});
    expect(empty.html).toContainAll('href="#credentials.user_id"', 'href="#credentials.subscription_key"');

    server.answer(AWAY);
    const unanswered = await fillIn(path(), SECRETS);
    expect(unanswered.status).toBe(503);
    expect(unanswered.html).not.toContain("user-of-the-shop");
    expect(await storedConnections()).toEqual([]);

    server.answer(REFUSED);
    const refused = await visitor.follow(await fillIn(path(), SECRETS));
    expect(refused.html).toMatch(
      /class="problem" role="status"[^>]*><p>The provider does not accept the credentials/,
    );
    expect(refused.html).toContain("Access denied");
    expect(refused.html).not.toContain("user-of-the-shop");
    expect(await storedConnections()).toMatchObject([{ status: "invalid" }]);

    const form = fieldsOf(await visitor.get(path()));
    await endAllConsoleSessions(server.appliance);
    const over = await visitor.post(path(), { ...form, ...SECRETS }, { from: "/console/sign-in" });
    expect(over.status).toBe(401);
    expect(over.html).not.toContain("user-of-the-shop");
  });

  test("says at both of two alternatives that one of them is needed", async () => {
    const { name, credentials } = PROVIDER_A;
    const provider = createScriptedProvider({ provider: "provider_a", name, credentials });
    await using shop = await closing(openServer({ adapters: [provider.adapter] }));
    const mine = await signedIn(shop);
    const page = `/console/merchants/${shop.merchant}/connect/provider_a`;
    const both = { "credentials.provider_user_id": "u1", "credentials.email": "owner@example.com" };
    for (const alternatives of [{}, both]) {
      const sent = { "credentials.api_key": "key", ...alternatives };
      const { status, html } = await mine.submit(page, await mine.get(page), sent);
      expect(status).toBe(400);
      const mistakes = [...html.matchAll(/<li><a href="#credentials\.(\w+)">[^<]*<\/a>: ([^<]*)</g)];
      expect(mistakes.map(([, field, text]) => [field, text])).toEqual([
        ["email", "Fill in exactly one of these"],
        ["provider_user_id", "Fill in exactly one of these"],
      ]);
    }
  });

  test("is found only for providers that take credentials, and not offered to those who only look", async () => {
    const unknown = path().replace(server.merchant, "mer_0000000000000000000000");
    expect((await visitor.get(unknown)).status).toBe(404);
    for (const provider of ["sandbox", "nobody"])
      expect((await visitor.get(path().replace("registry_direct", provider))).status).toBe(404);
    const reader = await signedIn(server, "test", { isReadOnly: true });
    expect((await reader.get(`/console/merchants/${server.merchant}`)).html).not.toContain(path());
    expect((await reader.get(path())).status).toBe(403);
  });
});
