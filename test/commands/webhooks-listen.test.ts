import { createHmac } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EventObject } from "../../src/journal/event-object.ts";
import { instantText } from "../../src/foundation/clock.ts";
import { verifySignature } from "../../src/webhooks/signature.ts";
import { issue } from "../helpers/issuing.ts";
import { startListening } from "../helpers/listening.ts";
import { type LocalReceiver, startLocalReceiver } from "../helpers/local-receiver.ts";
import { expectRefused, type Run } from "../helpers/program.ts";
import { openShop, receipt } from "../helpers/receipts.ts";
import { forEachTest } from "../helpers/set-up.ts";

const OWN_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

let receiver: LocalReceiver;
const workshop = forEachTest(openShop);
beforeEach(async () => void (receiver = await startLocalReceiver()));
afterEach(() => receiver.down());

const listen = (...args: string[]) => startListening(workshop, receiver.url, args);
const issueOne = (reference: string) => issue(workshop, [receipt(reference)]);
const resend = (id: string) => workshop.run(`events resend ${id}`);

interface Session {
  flags?: readonly string[];
  /** What happens while it listens. */
  during?(): unknown;
  /** How many requests the receiver then has in all. */
  received?: number;
  /** What it prints before it is ended. */
  printed?: string;
}

/** Listens, and ends as with Ctrl-C. */
async function listenTo({ flags = [], during, received, printed }: Session = {}): Promise<Run> {
  const listening = await listen(...flags);
  await during?.();
  if (received !== undefined) await receiver.received(received);
  if (printed !== undefined) await listening.printed(printed);
  return listening.end();
}

/** Every event of test mode, oldest first. */
const events = async () => (await workshop.list<EventObject>("events list --all")).toReversed();
const received = () => receiver.requests.map(({ event }) => event);
const linesOf = ({ stdout }: Run) => stdout.trimEnd().split("\n");
const nowSeconds = () => Math.floor(Date.now() / 1000);

describe("webhooks listen", () => {
  test("sends new events once and in order, and exits with 130", async () => {
    const listening = await listen();
    await issue(workshop, [receipt("A-1"), receipt("A-2", "rejected")]);
    await receiver.received(4);
    await listening.printed((await events()).at(-1)!.id);
    const run = await listening.end();
    expect(run.exitCode).toBe(130);
    const [merchantCreated, ...happened] = await events();
    expect(merchantCreated?.type).toBe("merchant.created");
    expect(received()).toEqual(happened);
    expect(linesOf(run)).toEqual(
      happened.map(({ created, type, id }) =>
        expect.stringMatching(new RegExp(`^${instantText(created).en} {2}${type} +${id} {2}200 `)),
      ),
    );
  });

  test("signs the exact bytes, as for an endpoint, with a printed and stored secret", async () => {
    const { stderr } = await listenTo({ flags: ["--from-start"], received: 1 });
    const secret = /whsec_\S+/.exec(stderr)?.[0] ?? "";
    const file = workshop.at("data", "listening", "secret");
    expect(await readFile(file, "utf8")).toBe(`${secret}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(file, ".."))).mode & 0o777).toBe(0o700);
    const { method, path, headers, body } = receiver.requests[0]!;
    const [event] = await events();
    const sent = { method: "POST", path: "/hooks?shop=1", body: JSON.stringify(event) };
    expect({ method, path, body: body.toString() }).toEqual(sent);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "fiscal/0.1.0",
      "webhook-id": event?.id,
    });
    const header = headers["service-signature"] as string;
    expect(verifySignature({ secret, header, body, nowSeconds: nowSeconds() })).toEqual({ ok: true });
    const standard = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"));
    standard.update(`${event?.id}.${headers["webhook-timestamp"] as string}.`).update(body);
    expect(headers["webhook-signature"]).toBe(`v1,${standard.digest("base64")}`);
  });

  test("uses the same secret after a restart, and one from a file without showing it", async () => {
    const secretOf = ({ stderr }: Run) => /whsec_\S+/.exec(stderr)?.[0];
    const first = secretOf(await listenTo());
    expect(first).toBeDefined();
    expect(secretOf(await listenTo())).toBe(first);
    await workshop.write("own.txt", `${OWN_SECRET}\r\n`);
    const third = await listenTo({ flags: ["--secret-file", "own.txt", "--from-start"], received: 1 });
    expect(third.stdout + third.stderr).not.toContain("whsec_");
    const { headers, body } = receiver.requests[0]!;
    const header = headers["service-signature"] as string;
    const signature = { secret: OWN_SECRET, header, body, nowSeconds: nowSeconds() };
    expect(verifySignature(signature).ok).toBe(true);
  });

  test("waits for a receiver that is down, reports it once, and loses nothing", async () => {
    const listening = await listen("--json");
    await receiver.down();
    await issueOne("A-1");
    await listening.printed('"connect"');
    await receiver.up();
    await receiver.received(2);
    await listening.printed("document.issued");
    const printed = linesOf(await listening.end()).map((line) => JSON.parse(line) as { event: string });
    expect(received()).toEqual((await events()).slice(1));
    expect(printed).toMatchObject([
      { status: null, error: "connect" },
      { status: 200, error: null },
      { status: 200, error: null },
    ]);
    expect(printed[0]?.event).toBe(printed[1]?.event);
  });

  test("sends an event again until the receiver responds with 2xx, also after redirects and errors", async () => {
    const answers = [500, { status: 307, headers: { location: receiver.url } }, "cut", 204] as const;
    receiver.answer = (index) => answers[index] ?? 200;
    const run = await listenTo({ during: () => issueOne("A-1"), received: 5, printed: "document.issued" });
    const [, created, issued] = await events();
    expect(received()).toEqual([created, created, created, created, issued]);
    const statuses = linesOf(run).map((line) => / {2}(\d{3}|no response \(\w+\)) {2}\d+ ms/.exec(line)?.[1]);
    expect(statuses).toEqual(["500", "307", "no response (connect)", "204", "200"]);
  });

  test("sends only the requested types", async () => {
    const during = () => issue(workshop, [receipt("A-1"), receipt("A-2", "rejected")]);
    await listenTo({ flags: ["--events", "document.issued", "document.rejected"], during, received: 2 });
    // The order in which the two documents are issued is not defined.
    expect(
      received()
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual(["document.issued", "document.rejected"]);
  });
});

describe("webhooks listen after a restart", () => {
  test("continues after the last event that the receiver accepted", async () => {
    await listenTo({ during: () => issueOne("A-1"), printed: "document.issued" });
    await issueOne("A-2");
    const { stderr } = await listenTo({ received: 4, printed: "document.issued" });
    expect(stderr).toContain("Continuing after evt_");
    expect(received()).toEqual((await events()).slice(1));
  });

  test("loses nothing if the receiver never accepted a first event", async () => {
    await receiver.down();
    await listenTo({ during: () => issueOne("A-1"), printed: "no response" });
    await receiver.up();
    await listenTo({ received: 2, printed: "document.issued" });
    expect(received()).toEqual((await events()).slice(1));
  });

  test("remembers a separate position for each mode and URL", async () => {
    await listenTo();
    await (await startListening(workshop, `${receiver.url}&other=1`)).end();
    await listenTo({ flags: ["--live"] });
    const files = await readdir(workshop.at("data", "listening"));
    expect(files.filter((name) => name.startsWith("test-"))).toHaveLength(2);
    expect(files.filter((name) => name.startsWith("live-"))).toHaveLength(1);
  });

  test("starts at the first event, now, or after a given event, depending on its flags", async () => {
    await issueOne("A-1");
    const happened = await events();
    await listenTo({ flags: ["--from-start"], received: 3 });
    expect(received()).toEqual(happened);
    await listenTo({ flags: ["--after", happened[1]!.id], received: 4, printed: "document.issued" });
    expect(received().at(-1)).toEqual(happened[2]);
    await listenTo({ flags: ["--after", happened[0]!.id] });
    const before = receiver.requests.length;
    await listenTo({ flags: ["--from-now"], during: () => issueOne("A-2"), received: before + 2 });
    expect(received()[before]?.data.object).toMatchObject({ external_reference: "A-2" });
  });
});

describe("events resend with a listener", () => {
  let first: EventObject;
  beforeEach(async () => void ([first] = (await events()) as [EventObject]));

  test("reaches a listener, even one that was not running at the time", async () => {
    await listenTo({ during: () => resend(first.id), received: 1, printed: "resent" });
    expect(await resend(first.id)).toMatchObject({ exitCode: 0 });
    await listenTo({ received: 2, printed: "resent" });
    expect(received()).toEqual([first, first]);
    await listenTo({ during: () => issueOne("A-1"), printed: "document.issued" });
    expect(received().map(({ type }) => type)).toEqual([
      "merchant.created",
      "merchant.created",
      "document.created",
      "document.issued",
    ]);
  });

  test("reaches only listeners of the same mode that requested the type", async () => {
    const issuing = async () => {
      await resend(first.id);
      await issueOne("A-1");
    };
    const flags = ["--events", "document.created"];
    await listenTo({ flags, during: issuing, printed: "document.created" });
    expect(received().map(({ type }) => type)).toEqual(["document.created"]);
    const adding = async () => {
      await resend(first.id);
      await workshop.run("merchants add --external-id live --name Live --live");
    };
    await listenTo({ flags: ["--live"], during: adding, printed: "merchant.created" });
    expect(received().map(({ livemode }) => livemode)).toEqual([false, true]);
  });
});

test("webhooks listen rejects an unknown event in --after", async () => {
  const start = `webhooks listen --forward-to ${receiver.url} --after evt_0000000000000000000000`;
  expectRefused(await workshop.run(start), 3);
});
