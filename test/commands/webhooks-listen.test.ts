import { createHmac } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EventObject } from "../../src/journal/event-object.ts";
import { instantText } from "../../src/foundation/clock.ts";
import { verifySignature } from "../../src/webhooks/signature.ts";
import { issue } from "../helpers/issuing.ts";
import { startListening } from "../helpers/listening.ts";
import { type LocalReceiver, startLocalReceiver } from "../helpers/local-receiver.ts";
import { openWorkshop, expectRefused } from "../helpers/program.ts";
import { addShop, receipt } from "../helpers/receipts.ts";
import { forEachTest } from "../helpers/set-up.ts";

const OWN_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

let receiver: LocalReceiver;
const workshop = forEachTest(openWorkshop);
beforeEach(async () => {
  receiver = await startLocalReceiver();
  await addShop(workshop);
});
afterEach(() => receiver.down());

const listen = (...args: string[]) => startListening(workshop, receiver.url, args);

/** Every event of test mode, oldest first. */
async function events(): Promise<EventObject[]> {
  return (await workshop.list<EventObject>("events list --all")).toReversed();
}

const received = () => receiver.requests.map(({ event }) => event);

describe("webhooks listen", () => {
  test("sends new events once and in order, and exits with 130", async () => {
    const listening = await listen();
    await issue(workshop, [receipt("A-1"), receipt("A-2", "rejected")]);
    await receiver.received(4);
    await listening.printed((await events()).at(-1)?.id ?? "");
    const run = await listening.end();
    expect(run.exitCode).toBe(130);
    const [merchantCreated, ...happened] = await events();
    expect(merchantCreated?.type).toBe("merchant.created");
    expect(received()).toEqual(happened);
    const printed = run.stdout.trimEnd().split("\n");
    expect(printed).toHaveLength(4);
    for (const [index, event] of happened.entries())
      expect(printed[index]).toMatch(
        new RegExp(`^${instantText(event.created).en} {2}${event.type} +${event.id} {2}200 `),
      );
  });

  test("signs the exact bytes, as for an endpoint, with a printed and stored secret", async () => {
    const listening = await listen("--from-start");
    await receiver.received(1);
    const { stderr } = await listening.end();
    const secret = /whsec_\S+/.exec(stderr)?.[0] ?? "";
    const file = join(workshop.folder, "data", "listening", "secret");
    expect(await readFile(file, "utf8")).toBe(`${secret}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(file, ".."))).mode & 0o777).toBe(0o700);
    const [{ method, path, headers, body }] = receiver.requests as [(typeof receiver.requests)[0]];
    const [event] = await events();
    expect({ method, path, body: body.toString() }).toEqual({
      method: "POST",
      path: "/hooks?shop=1",
      body: JSON.stringify(event),
    });
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "fiscal/0.1.0",
      "webhook-id": event?.id,
    });
    const header = headers["service-signature"] as string;
    const nowSeconds = Math.floor(Date.now() / 1000);
    expect(verifySignature({ secret, header, body, nowSeconds })).toEqual({ ok: true });
    const standard = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"));
    standard.update(`${event?.id}.${headers["webhook-timestamp"] as string}.`).update(body);
    expect(headers["webhook-signature"]).toBe(`v1,${standard.digest("base64")}`);
  });

  test("uses the same secret after a restart, and one from a file without showing it", async () => {
    const first = await (await listen()).end();
    const second = await (await listen()).end();
    const secretOf = (text: string) => /whsec_\S+/.exec(text)?.[0];
    expect(secretOf(first.stderr)).toBeDefined();
    expect(secretOf(second.stderr)).toBe(secretOf(first.stderr));
    await writeFile(join(workshop.folder, "own.txt"), `${OWN_SECRET}\r\n`);
    const listening = await listen("--secret-file", "own.txt", "--from-start");
    await receiver.received(1);
    const third = await listening.end();
    expect(third.stdout + third.stderr).not.toContain("whsec_");
    const [{ headers, body }] = receiver.requests as [(typeof receiver.requests)[0]];
    const header = headers["service-signature"] as string;
    const nowSeconds = Math.floor(Date.now() / 1000);
    expect(verifySignature({ secret: OWN_SECRET, header, body, nowSeconds }).ok).toBe(true);
  });

  test("waits for a receiver that is down, reports it once, and loses nothing", async () => {
    const listening = await listen("--json");
    await receiver.down();
    await issue(workshop, [receipt("A-1")]);
    await listening.printed('"connect"');
    await receiver.up();
    await receiver.received(2);
    await listening.printed("document.issued");
    const run = await listening.end();
    expect(received()).toEqual((await events()).slice(1));
    const printed = run.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string; status: number | null; error: string | null });
    expect(printed.map(({ status, error }) => ({ status, error }))).toEqual([
      { status: null, error: "connect" },
      { status: 200, error: null },
      { status: 200, error: null },
    ]);
    expect(printed[0]?.event).toBe(printed[1]?.event);
  });

  test("sends an event again until the receiver responds with 2xx, also after redirects and errors", async () => {
    const answers = [500, { status: 307, headers: { location: receiver.url } }, "cut", 204] as const;
    receiver.answer = (index) => answers[index] ?? 200;
    const listening = await listen();
    await issue(workshop, [receipt("A-1")]);
    await receiver.received(5);
    await listening.printed("document.issued");
    const run = await listening.end();
    const [, created, issued] = await events();
    expect(received()).toEqual([created, created, created, created, issued]);
    const statuses = run.stdout
      .trimEnd()
      .split("\n")
      .map((line) => / {2}(\d{3}|no response \(\w+\)) {2}\d+ ms/.exec(line)?.[1]);
    expect(statuses).toEqual(["500", "307", "no response (connect)", "204", "200"]);
  });

  test("sends only the requested types", async () => {
    const listening = await listen("--events", "document.issued", "document.rejected");
    await issue(workshop, [receipt("A-1"), receipt("A-2", "rejected")]);
    await receiver.received(2);
    await listening.end();
    // The order in which the two documents are issued is not defined.
    const types = received().map(({ type }) => type);
    expect(types.toSorted()).toEqual(["document.issued", "document.rejected"]);
  });
});

describe("webhooks listen after a restart", () => {
  test("continues after the last event that the receiver accepted", async () => {
    const first = await listen();
    await issue(workshop, [receipt("A-1")]);
    await first.printed("document.issued");
    await first.end();
    await issue(workshop, [receipt("A-2")]);
    const second = await listen();
    await receiver.received(4);
    await second.printed("document.issued");
    expect((await second.end()).stderr).toContain("Continuing after evt_");
    expect(received()).toEqual((await events()).slice(1));
  });

  test("loses nothing if the receiver never accepted a first event", async () => {
    await receiver.down();
    const first = await listen();
    await issue(workshop, [receipt("A-1")]);
    await first.printed("no response");
    await first.end();
    await receiver.up();
    const second = await listen();
    await receiver.received(2);
    await second.printed("document.issued");
    await second.end();
    expect(received()).toEqual((await events()).slice(1));
  });

  test("remembers a separate position for each mode and URL", async () => {
    await (await listen()).end();
    await (await startListening(workshop, `${receiver.url}&other=1`)).end();
    await (await listen("--live")).end();
    const files = await readdir(join(workshop.folder, "data", "listening"));
    expect(files.filter((name) => name.startsWith("test-"))).toHaveLength(2);
    expect(files.filter((name) => name.startsWith("live-"))).toHaveLength(1);
  });

  test("starts at the first event, now, or after a given event, depending on its flags", async () => {
    await issue(workshop, [receipt("A-1")]);
    const happened = await events();
    const all = await listen("--from-start");
    await receiver.received(3);
    await all.end();
    expect(received()).toEqual(happened);
    const afterEvent = await listen("--after", happened[1]?.id ?? "");
    await receiver.received(4);
    await afterEvent.printed("document.issued");
    await afterEvent.end();
    expect(received().at(-1)).toEqual(happened[2]);
    await (await listen("--after", happened[0]?.id ?? "")).end();
    const before = receiver.requests.length;
    const now = await listen("--from-now");
    await issue(workshop, [receipt("A-2")]);
    await receiver.received(before + 2);
    await now.end();
    expect(received()[before]?.data.object).toMatchObject({ external_reference: "A-2" });
  });
});

describe("events resend with a listener", () => {
  test("reaches a listener, even one that was not running at the time", async () => {
    const [merchantCreated] = await events();
    const id = merchantCreated?.id ?? "";
    const first = await listen();
    expect(await workshop.run(`events resend ${id}`)).toMatchObject({ exitCode: 0 });
    await receiver.received(1);
    await first.printed("resent");
    await first.end();
    await workshop.run(`events resend ${id}`);
    const second = await listen();
    await receiver.received(2);
    await second.printed("resent");
    await second.end();
    expect(received()).toEqual([merchantCreated, merchantCreated]);
    const third = await listen();
    await issue(workshop, [receipt("A-1")]);
    await third.printed("document.issued");
    await third.end();
    expect(received().map(({ type }) => type)).toEqual([
      "merchant.created",
      "merchant.created",
      "document.created",
      "document.issued",
    ]);
  });

  test("reaches only listeners of the same mode that requested the type", async () => {
    const [merchantCreated] = await events();
    const other = await listen("--events", "document.created");
    await workshop.run(["events", "resend", merchantCreated?.id ?? ""]);
    await issue(workshop, [receipt("A-1")]);
    await other.printed("document.created");
    await other.end();
    expect(received().map(({ type }) => type)).toEqual(["document.created"]);
    const live = await listen("--live");
    await workshop.run(["events", "resend", merchantCreated?.id ?? ""]);
    await workshop.run("merchants add --external-id live --name Live --live");
    await live.printed("merchant.created");
    await live.end();
    expect(received().map(({ livemode }) => livemode)).toEqual([false, true]);
  });
});

describe("webhooks listen rejects", () => {
  test("an unknown event in --after", async () => {
    const gone = ["--after", "evt_0000000000000000000000"];
    const run = await workshop.run(["webhooks", "listen", "--forward-to", receiver.url, ...gone]);
    expect(run).toMatchObject({ exitCode: 3, stdout: "" });
  });

  test("a damaged position file, and names it", async () => {
    await (await listen()).end();
    const folder = join(workshop.folder, "data", "listening");
    const name = (await readdir(folder)).find((file) => file.startsWith("test-")) ?? "";
    await writeFile(join(folder, name), "{");
    expectRefused(await workshop.run(`webhooks listen --forward-to ${receiver.url}`), 1, name);
  });
});
