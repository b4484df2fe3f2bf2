import { describe, expect, test } from "vitest";
import type { WebhookEndpointObject as Endpoint } from "../../src/webhooks/endpoint-object.ts";
import { issue } from "../helpers/issuing.ts";
import { answering, expectPrinted, expectSaid, type Run, type RunOptions } from "../helpers/program.ts";
import { receipt, openShop } from "../helpers/receipts.ts";
import { forEachTest } from "../helpers/set-up.ts";

const SECRET_FORM = /^whsec_[A-Za-z0-9+/]{43}=$/;
const URL = "http://127.0.0.1:9/hooks";

const workshop = forEachTest(openShop);

const webhooks = (args: string[], options?: RunOptions): Promise<Run> =>
  workshop.run(["webhooks", ...args], options);

async function add(...args: string[]): Promise<Endpoint & { secret: string }> {
  const events = args.includes("--events") ? [] : ["--events", "*"];
  return (await webhooks(["add", "--url", URL, ...events, "--json", ...args])).json();
}

const list = () => workshop.list<Endpoint>("webhooks list");

test("webhooks add prints the endpoint and, only once, the secret", async () => {
  const made = await webhooks(["add", "--url", URL, "--events", "document.issued", "document.failed"]);
  expectPrinted(made, 0, /^events +document\.issued, document\.failed$/m);
  const secret = /^secret +(\S+)$/m.exec(made.stdout)?.[1] ?? "";
  expect(secret).toMatch(SECRET_FORM);
  expect(made.stderr).toContain("cannot be shown again");
  const [{ id } = { id: "" }] = await list();
  for (const verb of [["list"], ["show", id], ["show", id, "--json"]])
    expect((await webhooks(verb)).stdout).not.toContain(secret);
});

test("webhooks add asks on a terminal for what is missing", async () => {
  const answers = { URL: `${URL}\r`, "Event types": "document.issued, document.failed\r" };
  expect((await webhooks(["add", "--json"], answering(answers))).exitCode).toBe(0);
  const asked = { url: URL, enabled_events: ["document.issued", "document.failed"] };
  expect(await list()).toMatchObject([asked]);
});

describe("an existing endpoint", () => {
  test("loses its description, is disabled, and enabled again names what is to replay", async () => {
    const { id } = await add("--description", "web shop");
    await webhooks(["update", id, "--description", "", "--status", "disabled"]);
    expectPrinted(await webhooks(["show", id]), 0, /^description +-$/m, /^status +disabled/m);
    const enabled = await webhooks(["update", id, "--status", "enabled"]);
    expectSaid(enabled, 0, `fiscal webhooks replay ${id}`);
  });

  test("is removed after confirmation", async () => {
    const { id } = await add();
    expect(await webhooks(["remove", id])).toMatchObject({ exitCode: 2, stdout: "" });
    expect((await webhooks(["remove", id], answering({ Remove: "n\r" }))).exitCode).toBe(1);
    expect(await list()).toHaveLength(1);
    const removed = await webhooks(["remove", id, "--yes", "--json"]);
    expect(removed.json()).toEqual({ id, object: "webhook_endpoint", deleted: true });
    expect(await list()).toEqual([]);
  });

  test("gets a new secret, shown only once", async () => {
    const { id, secret } = await add();
    const rotated = await webhooks(["rotate-secret", id, "--overlap", "60"]);
    expect(rotated.exitCode).toBe(0);
    const fresh = /^secret +(\S+)$/m.exec(rotated.stdout)?.[1] ?? "";
    expect(fresh).toMatch(SECRET_FORM);
    expect(fresh).not.toBe(secret);
    expect(rotated.stderr).toContain("cannot be shown again");
  });
});

test("deliveries of an endpoint that were held are queued once by replay", async () => {
  const { id } = await add("--events", "document.created");
  await webhooks(["update", id, "--status", "disabled"]);
  await issue(workshop, [receipt("A-1"), receipt("A-2"), receipt("A-3")]);
  const table = await webhooks(["deliveries", id]);
  expect(table.stdout.match(/evt_\w+\theld/g)).toHaveLength(3);
  await webhooks(["update", id, "--status", "enabled"]);
  for (const [flags, queued] of [
    [["--to", "2020-01-01"], 0],
    [["--event", /evt_\w+/.exec(table.stdout)![0]], 1],
    [[], 2],
  ] as const) {
    const run = await webhooks(["replay", id, ...flags]);
    expectSaid(run, 0, queued === 0 ? "" : "fiscal serve");
    expect(run.stdout).toBe(`${queued} queued\n`);
  }
});
