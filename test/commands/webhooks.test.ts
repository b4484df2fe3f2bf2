import { describe, expect, test } from "vitest";
import type { WebhookEndpointObject as Endpoint } from "../../src/webhooks/endpoint-object.ts";
import { issue } from "../helpers/issuing.ts";
import { answering, type Run, type RunOptions, expectPrinted } from "../helpers/program.ts";
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
const deliveries = (id: string) =>
  workshop.list<{ event: string; status: string }>(`webhooks deliveries ${id} --all`);

test("webhooks add prints the endpoint and, only once, the secret", async () => {
  const made = await webhooks(["add", "--url", URL, "--events", "document.issued", "document.failed"]);
  expectPrinted(made, 0, /^events +document\.issued, document\.failed$/m);
  const secret = /^secret +(\S+)$/m.exec(made.stdout)?.[1] ?? "";
  expect(secret).toMatch(SECRET_FORM);
  expect(made.stderr).toContain("cannot be shown again");
  const [endpoint] = await list();
  expect(endpoint).toMatchObject({
    object: "webhook_endpoint",
    url: URL,
    enabled_events: ["document.issued", "document.failed"],
    description: null,
    mode: "test",
    status: "enabled",
  });
  for (const verb of [["list"], ["show", endpoint?.id ?? ""], ["show", endpoint?.id ?? "", "--json"]])
    expect((await webhooks(verb)).stdout).not.toContain(secret);
});

test("webhooks add asks on a terminal for what is missing", async () => {
  const answers = { URL: `${URL}\r`, "Event types": "document.issued, document.failed\r" };
  expect((await webhooks(["add", "--json"], answering(answers))).exitCode).toBe(0);
  expect((await list())[0]).toMatchObject({
    url: URL,
    enabled_events: ["document.issued", "document.failed"],
  });
});

describe("an existing endpoint", () => {
  test("is shown, updated, disabled and enabled again", async () => {
    const { id } = await add("--description", "web shop");
    expect((await webhooks(["show", id])).stdout).toMatch(/^description +web shop$/m);
    const changed = await webhooks(["update", id, "--description", "", "--json"]);
    expect(changed.json()).toMatchObject({ id, description: null });
    await webhooks(["update", id, "--status", "disabled"]);
    expect((await webhooks(["show", id])).stdout).toMatch(/^status +disabled/m);
    const enabled = await webhooks(["update", id, "--status", "enabled", "--json"]);
    expect(enabled.json()).toMatchObject({ status: "enabled", disabled_reason: null });
    expect(enabled.stderr).toContain(`fiscal webhooks replay ${id}`);
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

test("deliveries of an endpoint that were held are queued once by replay: all, a period, or single events", async () => {
  const { id } = await add("--events", "document.created");
  await webhooks(["update", id, "--status", "disabled"]);
  await issue(workshop, [receipt("A-1"), receipt("A-2"), receipt("A-3")]);
  const held = await deliveries(id);
  expect(held.map(({ status }) => status)).toEqual(["held", "held", "held"]);
  const table = await webhooks(["deliveries", id]);
  for (const { event } of held) expect(table.stdout).toContain(`${event}\theld`);
  await webhooks(["update", id, "--status", "enabled"]);
  const early = await webhooks(["replay", id, "--to", "2020-01-01", "--json"]);
  expect(early.json()).toEqual({ object: "webhook_replay", queued: 0 });
  const one = await webhooks(["replay", id, "--event", held[0]?.event ?? "", "--json"]);
  expect(one.json()).toEqual({ object: "webhook_replay", queued: 1 });
  const rest = await webhooks(["replay", id]);
  expect(rest).toMatchObject({ exitCode: 0, stdout: "2 queued\n" });
  expect(rest.stderr).toContain("fiscal serve");
  expect((await deliveries(id)).filter(({ status }) => status === "held")).toEqual([]);
});
