import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { acceptDocument } from "../../src/documents/accept.ts";
import { listMails, type MailObject } from "../../src/mail/mail-object.ts";
import { queueMail } from "../../src/mail/queue-mail.ts";
import { sendDueMails, sendMail } from "../../src/mail/send-mail.ts";
import { claimMail } from "../../storage/mails.ts";
import { eraseTaxId } from "../../src/upkeep/retention/erase-tax-number.ts";
import { type Bench, buildIssueBody, openBench } from "../helpers/appliance.ts";
import { HAS_OPENSSL, makePair } from "../helpers/certificates.ts";
import { type MailServer, type MailServerOptions, startMailServer } from "../helpers/mail-server.ts";

const TO = "customer@example.com";
const HOUR_MS = 3_600_000;

let folder: string;
let bench: Bench;
let server: MailServer;
let document: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fiscal-mail-"));
});
afterEach(async () => {
  await bench.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens an appliance with one issued document, whose mail server is `server`. */
async function open(options: MailServerOptions = {}, env: Record<string, string> = {}): Promise<void> {
  server = await startMailServer(options);
  const settings = { HOST: "127.0.0.1", PORT: String(server.port), FROM: "shop@example.com", ...env };
  bench = await openBench({
    env: Object.fromEntries(Object.entries(settings).map(([name, value]) => [`FISCAL_MAIL__${name}`, value])),
  });
  const merchant = await bench.makeMerchant();
  document = await issue(merchant);
}

async function issue(merchant: string): Promise<string> {
  const cause = { mode: "test" as const, requestId: null, idempotencyKey: null };
  const { id } = await acceptDocument(bench.appliance, buildIssueBody(merchant), cause);
  await bench.settle();
  return id;
}

async function send(to = TO, again = false): Promise<MailObject> {
  const { mail } = await queueMail(bench.appliance, "test", document, { to, again });
  return sendMail(bench.appliance, mail.id);
}

const history = () => listMails(bench.appliance, document);
const withoutLineBreaks = (source: string) => source.replaceAll(/=\r\n/g, "");

describe("a mail", () => {
  test("has the PDF, plain text and HTML, and is recorded with its address, which no log has", async () => {
    await open();
    expect(await send()).toMatchObject({ object: "mail", to: TO, status: "sent", reason: null, attempts: 1 });
    const [mail] = server.received;
    expect(mail).toMatchObject({ from: "shop@example.com", to: [TO] });
    const source = withoutLineBreaks(mail!.source);
    for (const part of ["text/plain", "text/html", "application/pdf", "filename=TIM-1.pdf", "JVBERi0"])
      expect(source).toContain(part);
    expect(await history()).toMatchObject([{ to: TO, status: "sent", next_attempt_at: null }]);
    expect(bench.logged.join("\n")).toContain("mail sent");
    expect(bench.logged.join("\n")).not.toContain(TO);
    const bytes = await readFile(bench.appliance.config.storage.database);
    expect(bytes.includes(TO)).toBe(false);
  });

  test("goes to an address once, unless it is asked for again", async () => {
    await open();
    const first = await send();
    expect((await send(TO.toUpperCase())).id).toBe(first.id);
    expect(server.received).toHaveLength(1);
    await send("other@example.com");
    expect((await send(TO, true)).id).not.toBe(first.id);
    expect(server.received.map(({ to }) => to[0])).toEqual([TO, "other@example.com", TO]);
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
    const until = new Date(bench.appliance.clock.nowMs() + 60_000).toISOString();
    await store.write((trx) => claimMail(trx, other.mail.id, until));
    await sendDueMails(bench.appliance);
    expect(server.received).toHaveLength(1);
    bench.advance(60_000);
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

  test("that refuses the password gets the mail once the password is corrected", async () => {
    const file = join(folder, "password");
    await writeFile(file, "wrong\n");
    const login = { user: "shop", password: "right" };
    await open({ login, allowInsecureAuth: true }, { USER: "shop", PASSWORD_FILE: file });
    expect(await send()).toMatchObject({ status: "waiting", reason: "login", smtp_code: 535 });
    await writeFile(file, "right\n");
    expect(await send()).toMatchObject({ status: "sent", reason: null });
    expect(server.received[0]!.user).toBe("shop");
    expect(await history()).toHaveLength(1);
  });

  test.runIf(HAS_OPENSSL).each([
    ["STARTTLS", false],
    ["TLS from the start", true],
  ])("gets the mail over %s", async (_name, secure) => {
    const pair = makePair(folder, "mail");
    const [key, cert] = await Promise.all([readFile(pair.keyFile), readFile(pair.certFile)]);
    await open({ secure, key, cert }, { SECURE: String(secure) });
    expect(await send()).toMatchObject({ status: "sent" });
    expect(server.received[0]!.secure).toBe(true);
  });

  test("without the TLS that the settings want gets nothing", async () => {
    await open({ hideSTARTTLS: true }, { SECURE: "true" });
    expect(await send()).toMatchObject({ status: "waiting", reason: "certificate" });
    expect(server.received).toEqual([]);
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
