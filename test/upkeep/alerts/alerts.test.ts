/** Alerts by mail: docs/contract.md#alerts. */
import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { alertWhenDue, type Alerting } from "../../../src/upkeep/alerts.ts";
import { diagnose } from "../../../src/upkeep/doctor/diagnosis.ts";
import { type Finding, notice, problem } from "../../../src/upkeep/doctor/doctor-finding.ts";
import { hold } from "../../../storage/upkeep/appliance-state.ts";
import { type Bench, openBench } from "../../helpers/appliance.ts";
import { type MailServer, mailSettings, startMailServer } from "../../helpers/mail-server.ts";
import { closing } from "../../helpers/set-up.ts";

const TO = "operator@example.com";
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let server: MailServer;
let bench: Bench;
beforeEach(async () => {
  server = await startMailServer();
  bench = await openBench({ env: { ...mailSettings(server), FISCAL_ALERTS__MAIL_TO: TO } });
});
afterEach(async () => {
  await bench.close();
  await server.close();
});

/** What the next check finds, instead of what `doctor` finds. */
let found: Finding[] = [];
const planted: Alerting = { diagnose: async () => found, language: "en" };

async function check(alerting: Alerting = planted, hoursLater = 1): Promise<void> {
  bench.advance(hoursLater * HOUR_MS);
  await alertWhenDue(bench.appliance, alerting);
}

/** The texts of the mails received since the last call, without line breaks of the transfer encoding. */
function mails(): string[] {
  return server.received.splice(0).map(({ source }) => {
    const subject = /Subject: (.*)/.exec(source)![1]!;
    const part = /text\/plain[^]*?\r\n\r\n([^]*?)\r\n--/.exec(source)![1]!;
    const isBase64 = /text\/plain[^\r]*\r\nContent-Transfer-Encoding: base64/.test(source);
    const text = isBase64
      ? Buffer.from(part, "base64").toString()
      : part.replaceAll("=\r\n", "").replaceAll("=3D", "=");
    return `${subject}\n${text.replaceAll("\r\n", "\n")}`;
  });
}

const waiting = (count: number, subjects: string[] = ["doc_1"]): Finding => ({
  check: "documents",
  ...problem(
    {
      en: `Queued for more than an hour: ${count} live document${count === 1 ? "" : "s"}.`,
      el: "Στη σειρά πάνω από μία ώρα.",
    },
    "fiscal --live documents show doc_1",
    { mode: "live", subjects },
  ),
});
const disabled = (endpoint: string): Finding => ({
  check: "webhooks",
  ...problem(
    { en: "A live webhook endpoint was disabled.", el: "Ένα endpoint απενεργοποιήθηκε." },
    undefined,
    { mode: "live", subjects: [endpoint] },
  ),
});

describe("an alert", () => {
  test("is mailed once when a problem that doctor finds begins, and once when it ends", async () => {
    const { config, clock } = bench.appliance;
    const alerting: Alerting = {
      language: "en",
      diagnose: async () => {
        const command = (_mode: unknown, words: string) => `fiscal ${words}`;
        return (await diagnose({ config, clock, command, online: false, deep: false })).findings;
      },
    };
    await check(alerting);
    expect(mails()).toEqual([]);
    await chmod(config.storage.database, 0o644);
    await check(alerting);
    await check(alerting);
    const [begun, ...others] = mails();
    expect(others).toEqual([]);
    expect(begun).toContain("fiscal: 1 new problem\n");
    expect(begun).toContain("Other users may open");
    expect(begun).toContain("What to do: ");
    await chmod(config.storage.database, 0o600);
    await check(alerting);
    await check(alerting);
    expect(mails()).toEqual([expect.stringMatching(/^fiscal: 1 problem ended\n[^]*Other users may open/)]);
  });

  test("names what it is about and what to do", async () => {
    found = [waiting(1)];
    await check();
    expect(mails()).toEqual([
      [
        "fiscal: 1 new problem",
        "These problems need attention:",
        "",
        "- [live] Queued for more than an hour: 1 live document.",
        "  doc_1",
        "  What to do: fiscal --live documents show doc_1",
        "",
        "The checks of the installation show everything that they find now.",
        `Server: ${bench.appliance.publicUrl()}`,
        "",
      ].join("\n"),
    ]);
  });

  test("is in Greek for a Greek server", async () => {
    found = [waiting(1)];
    await check({ ...planted, language: "el" });
    const [mail] = mails();
    for (const text of ["Τα παρακάτω προβλήματα χρειάζονται ενέργεια:", "Στη σειρά πάνω από μία ώρα."])
      expect(mail).toContain(text);
  });

  test("is not repeated when only a count or the documents change", async () => {
    found = [waiting(1)];
    await check();
    found = [waiting(2, ["doc_1", "doc_2"])];
    await check();
    expect(mails()).toHaveLength(1);
  });

  test("is sent for each endpoint", async () => {
    found = [disabled("we_1")];
    await check();
    found = [disabled("we_1"), disabled("we_2")];
    await check();
    expect(mails()).toEqual([expect.stringContaining("we_1"), expect.stringContaining("we_2")]);
  });

  test("is not sent for what can wait", async () => {
    found = [{ check: "documents", ...notice({ en: "A notice.", el: "Σημείωση." }) }];
    await check();
    expect(mails()).toEqual([]);
  });
});

describe("the check", () => {
  test("runs once an hour by one of several servers, and no server repeats another's mail", async () => {
    let runs = 0;
    const counting: Alerting = {
      language: "en",
      diagnose: async () => {
        runs += 1;
        return [waiting(1)];
      },
    };
    const folder = dirname(bench.appliance.config.dataDir);
    const env = { ...mailSettings(server), FISCAL_ALERTS__MAIL_TO: TO };
    await using other = await closing(openBench({ folder, env }));
    const both = [bench, other];
    const run = () => Promise.all(both.map(({ appliance }) => alertWhenDue(appliance, counting)));
    const advance = (ms: number) => both.map((each) => each.advance(ms));
    await run();
    advance(HOUR_MS - MINUTE_MS);
    await run();
    expect(runs).toBe(1);
    advance(MINUTE_MS);
    await alertWhenDue(other.appliance, counting);
    expect(runs).toBe(2);
    expect(mails()).toHaveLength(1);
  });

  test("is repeated after five minutes if the mail server is unavailable", async () => {
    found = [waiting(1)];
    const { port } = server;
    await server.close();
    await check();
    expect(bench.logged.join("\n")).toContain("an alert could not be mailed");
    expect(bench.logged.join("\n")).not.toContain(TO);
    server = await startMailServer({ port });
    await alertWhenDue(bench.appliance, planted);
    expect(server.received).toEqual([]);
    bench.advance(5 * MINUTE_MS);
    await alertWhenDue(bench.appliance, planted);
    expect(mails()).toHaveLength(1);
  });

  test("is not put off by a clock that ran ahead", async () => {
    await check();
    bench.advance(-48 * HOUR_MS);
    found = [waiting(1)];
    await alertWhenDue(bench.appliance, planted);
    expect(mails()).toHaveLength(1);
  });

  test("reads every page once a week, and every hour while the file is damaged", async () => {
    const deeps: boolean[] = [];
    const noting: Alerting = {
      language: "en",
      diagnose: async (_signal, { deep }) => {
        deeps.push(deep);
        return deep ? found : [];
      },
    };
    found = [];
    for (const hours of [1, 1, 7 * 24 - 2, 1]) await check(noting, hours);
    expect(deeps.splice(0)).toEqual([true, false, false, true]);
    bench.advance(7 * 24 * HOUR_MS);
    found = [{ check: "database", ...problem({ en: "The database file is damaged.", el: "Έχει φθαρεί." }) }];
    for (const hours of [1, 1]) await check(noting, hours);
    found = [];
    for (const hours of [1, 1]) await check(noting, hours);
    expect(deeps).toEqual([true, true, true, false]);
    expect(mails().map((mail) => mail.split("\n", 1)[0])).toEqual([
      "fiscal: 1 new problem",
      "fiscal: 1 problem ended",
    ]);
  });

  test("does not run on a held appliance", async () => {
    found = [waiting(1)];
    await bench.appliance.store.write((trx) => hold(trx, { backupAt: trx.now }));
    await check();
    expect(mails()).toEqual([]);
  });
});
