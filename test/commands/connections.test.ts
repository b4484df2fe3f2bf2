import { describe, expect, test } from "vitest";
import * as v from "valibot";
import { type ConnectionObject, ConnectionObjectSchema } from "../../src/issuing/connection-status.ts";
import { startFakeProviderA } from "../helpers/fake-provider-a.ts";
import { startFakeRegistry } from "../helpers/fake-registry/server.ts";
import { issue } from "../helpers/issuing.ts";
import {
  answering,
  expectRefused,
  expectSaid,
  type Run,
  type RunOptions,
  expectPrinted,
} from "../helpers/program.ts";
import { addShop, openShop, receipt, SUPPLIER } from "../helpers/receipts.ts";
import { closing, forEachTest } from "../helpers/set-up.ts";

const KEY = "6f1b-subscription-key-of-the-shop";
const USER = "shop-rest-user";

const registry = forEachTest(() =>
  startFakeRegistry({ accounts: [{ userId: USER, key: KEY, vat: SUPPLIER }] }),
);
const workshop = forEachTest(() => openShop({ FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: registry.url }));

const run = (line: string, options?: RunOptions): Promise<Run> =>
  workshop.run(`connections ${line}`, options);
const list = (flags = "") => workshop.list<ConnectionObject>(`connections list ${flags}`);
/** The credentials of each verification. */
const asked = () =>
  registry.seen.map(({ headers }) => [headers["aade-user-id"], headers["ocp-apim-subscription-key"]]);

const ADD = "add --merchant shop --provider registry_direct";
/** Credentials in the environment, which cause no warning. */
const credentials = (key = KEY) => ({
  FISCAL_CREDENTIAL_USER_ID: USER,
  FISCAL_CREDENTIAL_SUBSCRIPTION_KEY: key,
});
const add = (key = KEY, line = ADD) => run(`${line} --json`, { env: credentials(key) });

describe("connections add", () => {
  test("stores accepted credentials and prints the API's object", async () => {
    const made = await add();
    expect(made).toMatchObject({ exitCode: 0, stderr: "" });
    const connection = v.parse(ConnectionObjectSchema, made.json());
    expect(connection).toMatchObject({ provider: "registry_direct", mode: "test", status: "active" });
    expect(asked()).toEqual([[USER, KEY]]);
    expect(await list()).toEqual([connection]);
    expectPrinted(await run(`show ${connection.id}`), 0, /^status +active$/m, /^provider +registry_direct$/m);
    expect(await run(`show ${connection.id} --live`)).toMatchObject({ exitCode: 3, stdout: "" });
  });

  test("keeps refused credentials as invalid, explains what to do, and exits with 4", async () => {
    const made = await add("wrong-subscription-key");
    expect(made.exitCode).toBe(4);
    const { id, ...connection } = v.parse(ConnectionObjectSchema, made.json());
    const error = { code: "provider_credentials_invalid" };
    expect(connection).toMatchObject({ status: "invalid", last_error: error });
    expect(made.stderr).toContain("The provider refused the credentials");
    expect(made.stderr).toContain(`fiscal connections verify ${id}`);
    expect(made.stdout + made.stderr).not.toContain("wrong-subscription-key");
    expect((await run(`show ${id}`)).stdout).toMatch(/^last error +provider_credentials_invalid: /m);
  });

  test("creates one connection per idempotency key and refuses another body or merchant under it", async () => {
    const keyed = `${ADD} --idempotency-key k-1`;
    const [first, again] = [await add(KEY, keyed), await add(KEY, keyed)];
    expect(again).toMatchObject({ exitCode: 0, stdout: first.stdout });
    expect(again.stderr).toContain("before");
    expect(asked()).toHaveLength(1);
    await workshop.run("merchants add --external-id kiosk --name Kiosk");
    for (const other of [await add(`${KEY}2`, keyed), await add(KEY, keyed.replace("shop", "kiosk"))]) {
      expect(other.exitCode).toBe(1);
      expect(JSON.parse(other.stderr)).toMatchObject({ code: "idempotency_conflict" });
    }
  });

  test("calls Wrapp by its name for people, and by its value in JSON", async () => {
    const tenant = { apiKey: KEY, email: "shop@example.com", userId: "user-4711", vat: SUPPLIER };
    await using wrapp = await closing(startFakeProviderA({ tenants: [tenant] }));
    const env = {
      FISCAL_PROVIDERS__PROVIDER_A__TEST_URL: wrapp.url,
      FISCAL_CREDENTIAL_API_KEY: KEY,
      FISCAL_CREDENTIAL_EMAIL: "shop@example.com",
    };
    const added = await run("add --merchant shop --provider provider_a", { env });
    expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^provider +Wrapp$/m) });
    for (const { stdout } of [added, await workshop.run("calls list"), await run("list")]) {
      expect(stdout).toContain("Wrapp");
      expect(stdout).not.toContain("provider_a");
    }
    expect(await list()).toMatchObject([{ provider: "provider_a" }]);
  });
});

describe("the credentials of connections add", () => {
  const ANSWERS = { "User name": `${USER}\r`, "Subscription key": `${KEY}\r` };

  test("accepts a secret as a flag and warns about it without repeating it", async () => {
    const made = await run(`${ADD} --user-id ${USER} --subscription-key ${KEY}`);
    expectSaid(made, 0, "--subscription-key-file", "FISCAL_CREDENTIAL_SUBSCRIPTION_KEY");
    expect(made.stdout + made.stderr).not.toContain(KEY);
    expect(asked()).toEqual([[USER, KEY]]);
  });

  test("are asked for on the terminal without showing secrets, and the available providers offered", async () => {
    const made = await run("add --merchant shop --json", answering({ Provider: "\r", ...ANSWERS }));
    expect(asked()).toEqual([[USER, KEY]]);
    expect(made.json()).toMatchObject({ provider: "registry_direct", status: "active" });
    expect(made.stderr).toContain("Wrapp");
    expect(made.stderr).not.toMatch(new RegExp(`sandbox|${KEY}`));
  });

  test("lets the person choose one of two ways to name the user", async () => {
    const answers = { "API key": "an-api-key\r", Choose: "\r", "User id at": "u-1\r" };
    const env = { FISCAL_PROVIDERS__PROVIDER_A__TEST_URL: registry.url };
    const made = await run("add --merchant shop --provider provider_a", { ...answering(answers), env });
    // The fake authority knows no account of this provider.
    expect(made.exitCode).toBe(4);
    expect(registry.seen.map(({ body }) => body)).toEqual([expect.stringContaining("u-1")]);
    expect(made.stderr).toContain("Email address for signing in to Wrapp");
    expect(made.stderr).not.toContain("an-api-key");
  });
});

test("connections list lists the connections of one merchant or all, newest first", async () => {
  await addShop(workshop, "other");
  const shop = (await add()).json<ConnectionObject>();
  const other = (await add(KEY, ADD.replace("shop", "other"))).json<ConnectionObject>();
  expect(await list()).toEqual([other, shop]);
  expect(await list("--merchant SHOP")).toEqual([shop]);
  expect((await run("list")).stdout).toMatch(/registry_direct\tactive/);
});

test("connections verify exits with 4 until the provider accepts the credentials, then makes the connection active", async () => {
  const { id } = (await add("not-yet-known")).json<ConnectionObject>();
  const refused = await run(`verify ${id}`);
  expectPrinted(refused, 4, /^status +invalid$/m);
  expect(refused.stderr).toContain("The provider refused the credentials");
  registry.accounts[0]!.key = "not-yet-known";
  const verified = await run(`verify ${id} --json`);
  expect(verified).toMatchObject({ exitCode: 0, stderr: "" });
  expect(verified.json()).toMatchObject({ id, status: "active", last_error: null });
});

test("connections verify exits with 0 for an active connection and with 5 without a response", async () => {
  const { id } = (await add()).json<ConnectionObject>();
  expect(await workshop.read(`connections verify ${id}`)).toMatchObject({ id, status: "active" });
  await registry.goDown();
  expect(await run(`verify ${id}`)).toMatchObject({ exitCode: 5, stdout: "" });
  expect(await list()).toMatchObject([{ id, status: "active" }]);
});

test("connections disconnect asks for confirmation and mentions pending documents", async () => {
  const { id } = (await add()).json<ConnectionObject>();
  await issue(workshop, [receipt("A-1")], ["--no-wait"]);
  expect(await run(`disconnect ${id}`)).toMatchObject({ exitCode: 2, stdout: "" });
  const refused = await run(`disconnect ${id}`, answering({ "Disconnect the connection": "n\r" }));
  expectRefused(refused, 1, "Documents of the merchant still pending there");
  expect(await list()).toMatchObject([{ status: "active" }]);
  const yes = await run(`disconnect ${id} --yes --json`);
  expect(yes).toMatchObject({ exitCode: 0, stderr: "" });
  expect(yes.json()).toMatchObject({ id, status: "disconnected" });
  expect(await run(`verify ${id}`)).toMatchObject({ exitCode: 1, stdout: "" });
});

test("connections link prints only the link to stdout and its expiry to stderr", async () => {
  const env = { FISCAL_SERVER__PUBLIC_URL: "https://fiscal.example.com" };
  const made = await run("link --merchant shop", { env });
  expectPrinted(made, 0, /^https:\/\/fiscal\.example\.com\/connect\/[\w-]{43}\n$/);
  expect(made.stderr).toMatch(/Valid until \d{4}-\d\d-\d\d \d\d:/);
  expect(made.stderr).not.toContainAll(made.stdout.trim().slice(-20), "server.public_url");
});

test("connections link --json prints the session with its url", async () => {
  const to = "--provider registry_direct --return-url https://example.com/back";
  const made = await run(`link --merchant shop ${to} --json`);
  expect(made.json()).toMatchObject({
    object: "connect_session",
    provider: "registry_direct",
    completed_at: null,
    url: expect.stringContaining("/connect/") as string,
  });
  expect(made.stderr).toContain("server.public_url");
});
