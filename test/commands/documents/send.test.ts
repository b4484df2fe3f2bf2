/** `documents send`, with a real mail server. */
// docs/contract.md#identifiers: mail
import { readFile, writeFile } from "node:fs/promises";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { HAS_OPENSSL, makePair } from "../../helpers/certificates.ts";
import { issueAll } from "../../helpers/issuing.ts";
import {
  type MailServer,
  type MailServerOptions,
  mailSettings,
  startMailServer,
} from "../../helpers/mail-server.ts";
import { expectRefused, type Run, expectPrinted, expectSaid } from "../../helpers/program.ts";
import { invoice, receipt, openShop } from "../../helpers/receipts.ts";
import { forAllTests } from "../../helpers/set-up.ts";

const TO = "customer@example.com";

let server: MailServer | undefined;
const workshop = forAllTests(openShop);
beforeAll(async () => {
  const receipts = ["A-1", "A-2", "A-3"].map((reference) => receipt(reference));
  await issueAll(workshop, [...receipts, receipt("A-4", "rejected"), invoice("M-1"), invoice("M-2")]);
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Starts a mail server, and returns the settings for it. */
async function open(options: MailServerOptions = {}): Promise<Record<string, string>> {
  server = await startMailServer(options);
  return mailSettings(server);
}

function send(env: Record<string, string>, reference: string, ...args: string[]): Promise<Run> {
  return workshop.run(["documents", "send", reference, ...args], { env });
}

const recipients = () => server!.received.map(({ to }) => to[0]);

describe("documents send", () => {
  test("says that a test document goes only to the addresses for tests", async () => {
    const run = await send(await open(), "A-1", "--to", "somebody@example.org");
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("addresses in mail.test_to") });
    expect(recipients()).toEqual([]);
  });

  test("sends the PDF once, and again only with --again", async () => {
    const env = await open();
    const first = await send(env, "A-1", "--to", TO);
    expect(first).toMatchObject({ exitCode: 0, stderr: "" });
    expect(first.stdout).toMatch(/to +customer@example\.com\nstatus +sent\n/);
    expect(server!.received[0]!.source).toContain("filename=ALP-1.pdf");

    const second = await send(env, "A-1", "--to", TO);
    expect(second).toMatchObject({ exitCode: 0, stdout: first.stdout });
    expect(second.stderr).toMatch(/^It was sent to this address before.*--again/);
    expect(await send(env, "A-1", "--to", TO, "--again")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(recipients()).toEqual([TO, TO]);
  });

  test("sends several documents, to where the customer's last one went", async () => {
    const env = await open();
    expectRefused(await send(env, "M-1", "M-2"), 2, "--to is missing");
    await send(env, "M-1", "--to", TO);
    const both = await send(env, "M-1", "M-2", "--json");
    expectSaid(both, 0, "It was sent to this address");
    const mail = { to: TO, status: "sent" };
    expect(both.json()).toMatchObject({ data: [mail, mail] });
    expect(recipients()).toEqual([TO, TO]);
  });

  test("prints the mail as JSON", async () => {
    const run = await send(await open(), "A-2", "--to", TO, "--json");
    expect(run.json()).toEqual({
      id: expect.stringMatching(/^eml_[0-9A-Za-z]{22}$/),
      object: "mail",
      document: expect.stringMatching(/^doc_/),
      to: TO,
      status: "sent",
      reason: null,
      smtp_code: null,
      attempts: 1,
      created: expect.any(String),
      last_attempt_at: expect.any(String),
      next_attempt_at: null,
    });
  });

  test("speaks Greek", async () => {
    const env = await open({ refused: { "a@example.com": 550 } });
    const inGreek = (to: string) => send(env, "A-3", "--to", to, "--lang", "el");
    expect((await inGreek(TO)).stdout).toMatch(/κατάσταση +στάλθηκε\n/);
    expect((await inGreek(TO)).stderr).toContain("Είχε ήδη σταλεί σε αυτή τη διεύθυνση");
    expect((await inGreek("a@example.com")).stdout).toContain("δεν δέχεται τη διεύθυνση του παραλήπτη (550)");
  });

  test.each([
    ["en", "No mail server is configured: set mail.host and mail.from (docs/mail.md)"],
    ["el", "Δεν έχει οριστεί διακομιστής αλληλογραφίας: ορίστε τα mail.host και mail.from (docs/mail.md)"],
  ])("without a mail server says which settings to make (%s)", async (language, says) => {
    const run = await send({}, "A-1", "--to", TO, "--lang", language);
    expect(run).toMatchObject({ exitCode: 78, stdout: "", stderr: `fiscal: ${says}\n` });
  });

  test.each([
    ["an address that is none", ["A-1", "--to", "customer"], 2, "to: must be an email address"],
    ["no address", ["A-1"], 2, "--to is missing"],
    ["a document that was rejected", ["A-4", "--to", TO], 1, "The document is not issued"],
    ["a document that does not exist", ["A-9", "--to", TO], 3, "There is no document with this id"],
  ])("with %s sends nothing", async (_what, args, exitCode, why) => {
    expectRefused(await send(await open(), ...(args as [string, ...string[]])), exitCode, why);
    expect(server!.received).toEqual([]);
  });
});

describe("a mail server", () => {
  test("that refuses the recipient gets no second attempt, and the command exits with 4", async () => {
    const run = await send(await open({ refused: { [TO]: 550 } }), "A-1", "--to", TO, "--again");
    expect(run).toMatchObject({ exitCode: 4, stderr: "" });
    expect(run.stdout).toContain("refused: the mail server refuses the recipient's address (550)");
    expect(run.stdout).not.toContain("next attempt");
  });

  test("that is unavailable leaves the mail waiting, and the same command sends it later", async () => {
    const env = await open();
    const { port } = server!;
    await server!.close();
    const to = "later@example.com";
    const run = await send(env, "A-1", "--to", to);
    expectPrinted(run, 5, /status +waiting: the mail server is unavailable\n/, /next attempt +2/);
    expect(run.stderr).toMatch(/^A running server sends it as soon as .*; so does this command\.\n$/);
    await open({ port });
    const sent = await send(env, "A-1", "--to", to, "--json");
    expect(sent.json()).toMatchObject({ status: "sent", attempts: 2 });
    expect(recipients()).toEqual([to]);
  });

  test("that refuses the password leaves the mail waiting, which doctor reports until it is corrected", async () => {
    const login = { user: "shop", password: "right-password" };
    const file = workshop.at("password");
    await writeFile(file, "wrong-password\n");
    const settings = await open({ login, allowInsecureAuth: true });
    const env = { ...settings, FISCAL_MAIL__USER: "shop", FISCAL_MAIL__PASSWORD_FILE: file };
    const run = await send(env, "A-2", "--to", "login@example.com");
    expectPrinted(run, 5, "waiting: the mail server refuses mail.user or its password (535)");
    const diagnosis = await workshop.run("doctor", { env });
    expect(diagnosis.exitCode).toBe(1);
    expect(diagnosis.stdout.replaceAll(/[\s│]+/g, " ")).toContain(
      "1 mail waits: the mail server refuses mail.user or its password.",
    );
    await writeFile(file, "right-password\n");
    expect((await send(env, "A-2", "--to", "login@example.com")).exitCode).toBe(0);
    expect(server!.received[0]!.user).toBe("shop");
    expect((await workshop.run("doctor", { env })).exitCode).toBe(0);
    const output = JSON.stringify([run, diagnosis]);
    for (const secret of ["wrong-password", "right-password"]) expect(output).not.toContain(secret);
  });

  test.runIf(HAS_OPENSSL).each([
    ["with STARTTLS", false],
    ["with TLS from the start", true],
  ])("%s gets the mail encrypted", async (_how, secure) => {
    const pair = makePair(workshop.folder, "mail");
    const [key, cert] = await Promise.all([readFile(pair.keyFile), readFile(pair.certFile)]);
    const env = { ...(await open({ secure, key, cert })), FISCAL_MAIL__SECURE: String(secure) };
    expect((await send(env, "A-1", "--to", TO, "--again")).exitCode).toBe(0);
    expect(server!.received[0]!.secure).toBe(true);
  });

  test("that does not encrypt gets nothing if mail.secure is set", async () => {
    const env = { ...(await open()), FISCAL_MAIL__SECURE: "true" };
    const run = await send(env, "A-3", "--to", "tls@example.com");
    expectPrinted(run, 5, "cannot be encrypted: check mail.port, mail.secure");
    expect(server!.received).toEqual([]);
  });
});

test("documents show lists the mails of the document, newest first, but not in --json", async () => {
  const [document] = await issueAll(workshop, [receipt("B-1")]);
  const env = await open({ refused: { "no@example.com": 550 } });
  await send(env, "B-1", "--to", TO);
  await send(env, "B-1", "--to", "no@example.com");
  const shown = await workshop.run("documents show B-1", { env });
  const rows = shown.stdout.split("\n").filter((line) => line.includes("@example.com"));
  expect(rows).toEqual([
    expect.stringMatching(/no@example\.com\trefused:/),
    expect.stringMatching(/customer@example\.com\tsent/),
  ]);
  const json = await workshop.run("documents show B-1 --json", { env });
  expect(json.json<object>()).toMatchObject({ id: document!.id });
  expect(json.stdout).not.toContain("@example.com");
});
