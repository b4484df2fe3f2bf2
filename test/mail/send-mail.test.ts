import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, test } from "vitest";
import { listMails, type MailObject, queueMail } from "../../src/mail/queue-mail.ts";
import { putSettings } from "../../src/merchants/settings.ts";
import { sendDueMails, sendMail } from "../../src/mail/send-mail.ts";
import { claimWork } from "../../src/work/work-off.ts";
import { MAILS } from "../../src/work/kinds.ts";
import { eraseTaxId } from "../../src/upkeep/retention/erase-tax-number.ts";
import { type Bench, openBench } from "../helpers/appliance.ts";
import {
  type MailServer,
  type MailServerOptions,
  mailSettings,
  startMailServer,
} from "../helpers/mail-server.ts";

const TO = "customer@example.com";
const HOUR_MS = 3_600_000;

let bench: Bench;
let server: MailServer;
let document: string;

afterEach(async () => {
  await bench.close();
  await server.close();
});

/** Opens an appliance with one issued document, whose mail server is `server`. */
async function open(
  options: MailServerOptions = {},
  env: Record<string, string> = {},
  paper: Record<string, string> = {},
): Promise<void> {
  server = await startMailServer(options);
  bench = await openBench({ env: { ...mailSettings(server), ...env } });
  const merchant = await bench.makeMerchant();
  await putSettings(bench.appliance, merchant, { paper }, "test");
  document = await issue(merchant);
}

async function issue(merchant: string): Promise<string> {
  const id = await bench.acceptFor(merchant);
  await bench.settle();
  return id;
}

async function send(to = TO): Promise<MailObject> {
  const { mail } = await queueMail(bench.appliance, "test", document, { to, again: false });
  return sendMail(bench.appliance, mail.id);
}

const history = () => listMails(bench.appliance, document);
const withoutLineBreaks = (source: string) => source.replaceAll(/=\r\n/g, "");

describe("a mail", () => {
  test("has the PDF, plain text and HTML, and is recorded with its address, which no log has", async () => {
    await open();
    await queueMail(bench.appliance, "test", document, { to: TO, again: false });
    await sendDueMails(bench.appliance);
    const [mail] = server.received;
    expect(mail).toMatchObject({ from: "shop@example.com", to: [TO] });
    const source = withoutLineBreaks(mail!.source);
    for (const part of ["text/plain", "text/html", "application/pdf", "filename=TIM-1.pdf", "JVBERi0"])
      expect(source).toContain(part);
    expect(source).toMatch(/^From: "?[^<]+"? <shop@example\.com>/m);
    expect(source).not.toMatch(/^Reply-To:/m);
    expect(await history()).toMatchObject([{ to: TO, status: "sent", attempts: 1, next_attempt_at: null }]);
    expect(bench.logged.join("\n")).toContain("mail sent");
    expect(bench.logged.join("\n")).not.toContain(TO);
    const bytes = await readFile(bench.appliance.config.storage.database);
    expect(bytes.includes(TO)).toBe(false);
  });

  test("goes in the merchant's name, and replies go to the merchant", async () => {
    await open({}, {}, { email: "office@shop.example" });
    await send();
    expect(server.received[0]!.source).toMatch(/^Reply-To: office@shop\.example\r$/m);
  });

  test("with a test document goes to no other address than those for tests", async () => {
    await open();
    const mail = await send("somebody@example.org");
    expect(mail).toMatchObject({ to: "somebody@example.org", status: "not_sent", attempts: 0 });
    await sendDueMails(bench.appliance);
    expect(server.received).toEqual([]);
    expect(await history()).toMatchObject([{ status: "not_sent", next_attempt_at: null }]);
  });

  test("waits when so many were sent in the hour before", async () => {
    await open({}, { FISCAL_MAIL__PER_HOUR: "2" });
    for (const name of ["customer", "other"]) await send(`${name}@example.com`);
    const third = await send("late@example.com");
    expect(third).toMatchObject({ status: "waiting", attempts: 0 });
    const waits = Date.parse(third.next_attempt_at!) - Date.parse(bench.appliance.clock.now());
    expect(waits).toBe(HOUR_MS);
    bench.advance(HOUR_MS - 1);
    await sendDueMails(bench.appliance);
    expect(server.received).toHaveLength(2);
    bench.advance(1);
    await sendDueMails(bench.appliance);
    expect(server.received.map(({ to }) => to[0]).at(-1)).toBe("late@example.com");
  });

  test("goes to an address once, however it is written", async () => {
    await open();
    const first = await send();
    expect((await send(TO.toUpperCase())).id).toBe(first.id);
    await send("other@example.com");
    expect(server.received.map(({ to }) => to[0])).toEqual([TO, "other@example.com"]);
  });

  test.each(["nobody", "a@example.com, b@example.com", "a@example.com\r\nBcc: b@example.com", ""])(
    "to %j is refused",
    async (to) => {
      await open();
      await expect(send(to)).rejects.toMatchObject({
        code: "validation_failed",
        message: expect.not.stringContaining("@"),
      });
      expect(server.received).toEqual([]);
    },
  );

  test("is sent again with the same Message-ID when the process was killed while sending", async () => {
    await open();
    const { mail } = await queueMail(bench.appliance, "test", document, { to: TO, again: false });
    await sendMail(bench.appliance, mail.id);
    const { store } = bench.appliance;
    const other = await queueMail(bench.appliance, "test", document, { to: TO, again: true });
    await store.write((trx) => claimWork(trx, MAILS, { only: other.mail.id }, { limit: 1, alive: [] }));
    bench.advance(MAILS.leaseMs - 1);
    await sendDueMails(bench.appliance);
    expect(server.received).toHaveLength(1);
    bench.advance(1);
    await sendDueMails(bench.appliance);
    expect(server.received).toHaveLength(2);
    expect(server.received[1]!.source).toContain(`Message-ID: <${other.mail.id}@example.com>`);
  });
});

describe("a mail server", () => {
  test("that refuses the recipient ends the mail, and a new one can be sent", async () => {
    await open({ refused: { [TO]: 550 } });
    expect(await send()).toMatchObject({
      status: "refused",
      reason: "recipient",
      smtp_code: 550,
      next_attempt_at: null,
    });
    bench.advance(100 * HOUR_MS);
    await sendDueMails(bench.appliance);
    expect(await history()).toHaveLength(1);
    expect(bench.logged.join("\n")).not.toContain(TO);
    expect((await send()).status).toBe("refused");
    expect(await history()).toHaveLength(2);
  });

  test("that refuses for now, or is unavailable, gets the mail later", async () => {
    const refused: Record<string, number> = { [TO]: 451 };
    await open({ refused });
    expect(await send()).toMatchObject({ status: "waiting", reason: "unavailable", smtp_code: 451 });
    const { port } = server;
    await server.close();
    bench.advance(HOUR_MS);
    await sendDueMails(bench.appliance);
    expect(await history()).toMatchObject([
      { status: "waiting", reason: "unavailable", smtp_code: null, attempts: 2 },
    ]);
    server = await startMailServer({ port });
    await sendDueMails(bench.appliance);
    expect(server.received).toEqual([]);
    bench.advance(HOUR_MS);
    await sendDueMails(bench.appliance);
    expect(server.received).toHaveLength(1);
    expect(await history()).toMatchObject([{ status: "sent", attempts: 3 }]);
  });

  test("that never comes back is given up after all attempts", async () => {
    await open();
    await server.close();
    await send();
    for (let tries = 0; tries < 20; tries += 1) {
      bench.advance(48 * HOUR_MS);
      await sendDueMails(bench.appliance);
    }
    expect(await history()).toMatchObject([{ status: "failed", reason: "unavailable", attempts: 10 }]);
  });
});

test("an erasure removes addresses, and a mail that waits is not sent", async () => {
  await open({ refused: { "later@example.com": 451 } });
  await send();
  await send("later@example.com");
  const erasure = await eraseTaxId(bench.appliance, "094012834", { dryRun: false });
  expect(erasure.mails).toBe(2);
  expect(await history()).toMatchObject([
    { to: null, status: "erased", next_attempt_at: null },
    { to: null, status: "sent" },
  ]);
  expect((await eraseTaxId(bench.appliance, "094012834", { dryRun: false })).mails).toBe(0);
});

describe("a merchant whose documents are mailed once they are issued", () => {
  async function openWith(settings: object): Promise<string> {
    await open();
    const { merchant } = await bench.see(document);
    await putSettings(bench.appliance, merchant, settings, "test");
    return merchant;
  }

  test("sends each to where the customer's last one went, and none before the first", async () => {
    const merchant = await openWith({ on_issue: "mail" });
    document = await issue(merchant);
    expect(await history()).toEqual([]);
    await send();
    document = await issue(merchant);
    expect(await history()).toMatchObject([{ to: TO, status: "waiting" }]);
    await sendDueMails(bench.appliance);
    expect(await history()).toMatchObject([{ to: TO, status: "sent" }]);
    expect(server.received).toHaveLength(2);
  });

  test("records a test document for an address that is not in test_to as not sent", async () => {
    const merchant = await openWith({ on_issue: "mail" });
    await send();
    const { config } = bench.appliance;
    Object.assign(config.mail, { testTo: [] });
    document = await issue(merchant);
    expect(await history()).toMatchObject([{ to: TO, status: "not_sent" }]);
  });

  test.each([{}, { on_issue: "nothing" }])("is not one with the settings %j", async (settings) => {
    const merchant = await openWith(settings);
    await send();
    document = await issue(merchant);
    expect(await history()).toEqual([]);
  });

  test("needs a mail server", async () => {
    const merchant = await openWith({});
    Object.assign(bench.appliance.config.mail, { host: "" });
    await expect(putSettings(bench.appliance, merchant, { on_issue: "mail" }, "test")).rejects.toThrow(
      "on_issue: cannot be mail without a mail server",
    );
  });
});
