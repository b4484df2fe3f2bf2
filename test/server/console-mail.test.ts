/** Emailing a document from its page: docs/contract.md#mail. */
import { describe, expect, test } from "vitest";
import { sendDueMails } from "../../src/mail/send-mail.ts";
import { csrfOf, expectPage, type Shown, signedIn } from "../helpers/console.ts";
import { buildDocument } from "../helpers/documents.ts";
import { openServer } from "../helpers/http.ts";
import { mailSettings, startMailServer } from "../helpers/mail-server.ts";
import { forAllTests, closing } from "../helpers/set-up.ts";

const TO = "customer@example.com";

const mailServer = forAllTests(() => startMailServer({ refused: { "no@example.com": 550 } }));
const server = forAllTests(() => openServer({ env: mailSettings(mailServer) }));
const visitor = forAllTests(() => signedIn(server));

/** Issues an invoice and returns the path of its page. */
async function issued(customer = "094012834", by = server): Promise<string> {
  const party = { tax_id: { country: "GR", code: customer } };
  const { id } = await by.issued({ document: buildDocument("1.1", { customer: party }) });
  return `/console/documents/${id}`;
}

/** What a browser would send with the form of the page. */
function fieldsOf({ html }: Shown): Record<string, string> {
  const [form = ""] = /<form [^>]*action="[^"]*\/mails".*?<\/form>/s.exec(html) ?? [];
  const inputs = [...form.matchAll(/<input [^>]*?name="([^"]+)"[^>]*?value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name, value]) => [name!, value!]));
}

/** Submits the form of `page`, with another address if one is given. */
function submit(path: string, page: Shown, to?: string): Promise<Shown> {
  const fields = { ...fieldsOf(page), ...(to === undefined ? {} : { to }) };
  return visitor.post(`${path}/mails`, fields, { csrf: csrfOf(page.html) });
}

/** Lets the server send what is due, and returns the addresses it sent to. */
async function sent(): Promise<string[]> {
  mailServer.received.length = 0;
  await sendDueMails(server.appliance);
  return mailServer.received.map(({ to }) => to[0]!);
}

test("a test mail goes to the merchant's own address, and says why it cannot", async () => {
  const page = `/console/merchants/${server.merchant}`;
  const post = async (email: string) => {
    const body = { paper: { email } };
    await server.request("PUT", `/api/v1/merchants/${server.merchant}/settings`, { body });
    return visitor.post(`${page}/test-mail`, {}, { from: `${page}/paper` });
  };
  mailServer.received.length = 0;
  const done = await visitor.follow(await post("shop@example.com"));
  expect(done.html).toContain("The mail server accepted the test mail.");
  expect(mailServer.received.map(({ to }) => to)).toEqual([["shop@example.com"]]);
  expectPage(await post("no@example.com"), 502, "refuses the recipient");
  await server.request("PUT", `/api/v1/merchants/${server.merchant}/settings`, { body: {} });
});

test("several documents are mailed to the addresses of their customers, once, after they are shown", async () => {
  const [known, unknown] = [await issued("094014201"), await issued("090000045")];
  await submit(known, await visitor.get(known), TO);
  await sent();
  const other = await issued("094014201");
  const ids = [other, unknown].map((path) => path.split("/").at(-1)!);
  const chosen = Object.fromEntries(ids.map((id) => [id, "1"]));
  const shown = await visitor.post("/console/chosen/mails", chosen);
  expect(shown.html).toContainAll(TO, "No address is known");
  expect(await sent()).toEqual([]);
  const [, key = ""] = /name="key" value="([^"]+)"/.exec(shown.html) ?? [];
  for (let count = 0; count < 2; count += 1) await visitor.post("/console/chosen/mails", { ...chosen, key });
  expect(await sent()).toEqual([TO]);
});

describe("the form on the page of an issued document", () => {
  test("sends the PDF, and the page lists the mail", async () => {
    const path = await issued();
    const page = await visitor.get(path);
    expect(page.html).toContain("It was not sent to anybody yet.");
    const done = await submit(path, page, ` ${TO} `);
    expect([done.status, done.headers.get("location")]).toEqual([303, path]);
    expect((await visitor.follow(done)).html).toContain("The mail is being sent.");
    expect((await visitor.get(path)).html).toMatch(/customer@example\.com.*waiting/s);
    expect(await sent()).toEqual([TO]);
    expect((await visitor.get(path)).html).toMatch(
      /data-head="To"[^>]*><div>customer@example\.com<.*>sent</s,
    );
  });

  test("sends once when it is submitted twice, even after the first mail is sent", async () => {
    const path = await issued();
    const page = await visitor.get(path);
    await Promise.all([submit(path, page, TO), submit(path, page, TO)]);
    expect(await sent()).toEqual([TO]);
    expect((await submit(path, page, TO)).status).toBe(303);
    expect(await sent()).toEqual([]);
  });

  test("asks before an address gets the document again, and then sends it once", async () => {
    const path = await issued();
    await submit(path, await visitor.get(path), TO);
    await sent();
    const question = await submit(path, await visitor.get(path), TO);
    expectPage(question, 409, "was already sent this document");
    expect(await sent()).toEqual([]);
    await Promise.all([submit(path, question), submit(path, question)]);
    expect(await sent()).toEqual([TO]);
    const other = "other@example.com";
    await submit(path, await visitor.get(path), other);
    await sent();
    expectPage(await submit(path, question, other), 409, "was already sent this document");
    expect(await sent()).toEqual([]);
  });

  test("shows why a mail was refused, and can send it again", async () => {
    const path = await issued();
    await submit(path, await visitor.get(path), "no@example.com");
    await sent();
    const page = await visitor.get(path);
    expect(page.html).toContain("refused: the mail server refuses the recipient&#39;s address (550)");
    expect((await submit(path, page, "no@example.com")).status).toBe(303);
  });

  test("describes a mistake next to the field and keeps what was typed", async () => {
    const path = await issued();
    const refused = await submit(path, await visitor.get(path), "customer@example");
    expect(refused.status).toBe(400);
    const [input] = /<input id="to"[^>]*>/.exec(refused.html)!;
    for (const part of ['value="customer@example"', 'aria-invalid="true"', 'aria-describedby="to-mistake"'])
      expect(input).toContain(part);
    expect(refused.html).toContain('id="to-mistake">must be an email address<');
    expect((await submit(path, refused, TO)).headers.get("location")).toBe(path);
    expect((await visitor.get(`${path}/mails`)).headers.get("location")).toBe(path);
  });

  test("suggests the address of the last mail to the customer, unless it was refused", async () => {
    const path = await issued();
    await submit(path, await visitor.get(path), TO);
    const next = await issued();
    expect(fieldsOf(await visitor.get(next))["to"]).toBe(TO);
    expect(fieldsOf(await visitor.get(await issued("090000045")))["to"]).toBe("");
    await submit(next, await visitor.get(next), "no@example.com");
    await sent();
    expect(fieldsOf(await visitor.get(next))["to"]).toBe("");
  });

  test("is the same, byte for byte, until there is another mail", async () => {
    const path = await issued();
    const page = await visitor.get(path);
    expect((await visitor.get(path, { "if-none-match": page.headers.get("etag")! })).status).toBe(304);
  });

  test("is in Greek for a Greek browser", async () => {
    const path = await issued();
    const { html } = await visitor.get(path, { "accept-language": "el" });
    expect(html).toContainAll("Διεύθυνση email του παραλήπτη", "Αποστολή του PDF", "Δεν έχει σταλεί ακόμη");
  });

  test("sends nothing without its token, and of another mode nothing is found", async () => {
    const path = await issued();
    expect((await visitor.post(`${path}/mails`, { to: TO }, { csrf: null })).status).toBe(403);
    const live = await signedIn(server, "live");
    expect((await live.post(`${path}/mails`, { to: TO })).status).toBe(404);
    expect(await sent()).toEqual([]);
  });
});

test("a page without a mail server says what to set, and its form is refused", async () => {
  await using other = await closing(openServer());
  const path = await issued("094012834", other);
  const own = await signedIn(other);
  const { html } = await own.get(path);
  expect(html).toContain("set the mail server in the configuration");
  expect(html).not.toContain("Send the PDF");
  expectPage(await own.post(`${path}/mails`, { to: TO }), 422, "docs/mail.md");
});

test("a held appliance offers no form and sends nothing", async () => {
  const path = await issued();
  const page = await visitor.get(path);
  await server.hold();
  expect((await visitor.get(path)).html).not.toContain("Send the PDF");
  expectPage(await submit(path, page, TO), 503, "No mail was sent");
  expect(await sent()).toEqual([]);
});
