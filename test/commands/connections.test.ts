import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as v from "valibot";
import { type ConnectionObject, ConnectionObjectSchema } from "../../src/issuing/connection-status.ts";
import type { EventObject } from "../../src/journal/event-object.ts";
import { startFakeProviderA } from "../helpers/fake-provider-a.ts";
import { answering, openWorkshop, type Run, type RunOptions, expectRefused } from "../helpers/program.ts";
import { addShop, lines, receipt, SUPPLIER } from "../helpers/receipts.ts";
import { forEachTest } from "../helpers/set-up.ts";

const KEY = "6f1b-subscription-key-of-the-shop";
const USER = "shop-rest-user";

/** A registry that responds to a verification with 200 for the accepted key and 401 for any other. */
interface Registry {
  url: string;
  accepted: string;
  seen: { user: string | undefined; key: string | undefined }[];
  stop(): Promise<void>;
}

async function startRegistry(): Promise<Registry> {
  const registry: Registry = { url: "", accepted: KEY, seen: [], stop };
  const server: Server = createServer((request, response) => {
    const header = (name: string) => request.headers[name] as string | undefined;
    const given = { user: header("aade-user-id"), key: header("ocp-apim-subscription-key") };
    registry.seen.push(given);
    const isKnown = request.url?.startsWith("/RequestTransmittedDocs?") === true;
    if (!isKnown) return response.writeHead(404).end();
    if (given.key !== registry.accepted) {
      response.writeHead(401, { "content-type": "application/json" });
      return response.end(
        '{ "statusCode": 401, "message": "Access denied due to invalid subscription key." }',
      );
    }
    response.writeHead(200, { "content-type": "application/xml" });
    return response.end('<RequestedDoc xmlns="http://www.aade.gr/myDATA/invoice/v1.0"></RequestedDoc>');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  registry.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return registry;

  function stop(): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}

let registry: Registry;
const workshop = forEachTest(openWorkshop);
beforeEach(async () => {
  registry = await startRegistry();
  await addShop(workshop);
});
afterEach(() => registry.stop());

function run(args: string[], options: RunOptions = {}): Promise<Run> {
  const env = { FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: registry.url, ...options.env };
  return workshop.run(["connections", ...args], { ...options, env });
}

const ADD = ["add", "--merchant", "shop", "--provider", "registry_direct"];

/** Passes the credentials in the environment, which causes no warning. */
async function add(key = KEY): Promise<Run> {
  const env = { FISCAL_CREDENTIAL_USER_ID: USER, FISCAL_CREDENTIAL_SUBSCRIPTION_KEY: key };
  return run([...ADD, "--json"], { env });
}

async function eventTypes(): Promise<string[]> {
  return (await workshop.list<EventObject>("events list")).map(({ type }) => type);
}

async function list(...args: string[]): Promise<ConnectionObject[]> {
  return (await run(["list", "--json", ...args])).json<{ data: ConnectionObject[] }>().data;
}

describe("connections add", () => {
  test("stores accepted credentials and prints the API's object", async () => {
    const made = await add();
    expect(made).toMatchObject({ exitCode: 0, stderr: "" });
    const connection = v.parse(ConnectionObjectSchema, made.json());
    expect(connection).toMatchObject({ provider: "registry_direct", mode: "test", status: "active" });
    expect(registry.seen).toEqual([{ user: USER, key: KEY }]);
    expect(await eventTypes()).toEqual(["connection.verified", "connection.created", "merchant.created"]);
    expect(await list()).toEqual([connection]);
    const shown = await run(["show", connection.id]);
    expect(shown.stdout).toMatch(/^status +active$/m);
    expect(shown.stdout).toMatch(/^provider +registry_direct \(test\)$/m);
    expect(await run(["show", connection.id, "--live"])).toMatchObject({ exitCode: 3, stdout: "" });
  });

  test("keeps refused credentials as invalid, explains what to do, and exits with 4", async () => {
    const made = await add("wrong-subscription-key");
    expect(made.exitCode).toBe(4);
    const connection = v.parse(ConnectionObjectSchema, made.json());
    expect(connection).toMatchObject({
      status: "invalid",
      last_error: { code: "provider_credentials_invalid" },
    });
    expect(made.stderr).toContain("The provider refused the credentials");
    expect(made.stderr).toContain(`fiscal connections verify ${connection.id}`);
    expect(made.stdout + made.stderr).not.toContain("wrong-subscription-key");
    const shown = await run(["show", connection.id]);
    expect(shown.stdout).toMatch(/^last error +provider_credentials_invalid: /m);
  });

  test("creates one connection per idempotency key and refuses another body under it", async () => {
    const keyed = [...ADD, "--idempotency-key", "k-1", "--json"];
    const env = { FISCAL_CREDENTIAL_USER_ID: USER, FISCAL_CREDENTIAL_SUBSCRIPTION_KEY: KEY };
    const first = await run(keyed, { env });
    const again = await run(keyed, { env });
    expect(again).toMatchObject({ exitCode: 0, stdout: first.stdout });
    expect(again.stderr).toContain("before");
    expect(registry.seen).toHaveLength(1);
    const other = await run(keyed, { env: { ...env, FISCAL_CREDENTIAL_SUBSCRIPTION_KEY: `${KEY}2` } });
    expect(other.exitCode).toBe(1);
    expect(JSON.parse(other.stderr)).toMatchObject({ code: "idempotency_conflict" });
  });
});

describe("the credentials of connections add", () => {
  test("accepts a secret as a flag and warns about it without repeating it", async () => {
    const made = await run([...ADD, "--user-id", USER, "--subscription-key", KEY]);
    expect(made.exitCode).toBe(0);
    expect(made.stderr).toContain("--subscription-key-file");
    expect(made.stderr).toContain("FISCAL_CREDENTIAL_SUBSCRIPTION_KEY");
    expect(made.stdout + made.stderr).not.toContain(KEY);
    expect(registry.seen).toEqual([{ user: USER, key: KEY }]);
  });

  test("asks on the terminal for what is missing without showing secrets", async () => {
    const made = await run(
      [...ADD, "--json"],
      answering({ "User name": `${USER}\r`, "Subscription key": `${KEY}\r` }),
    );
    expect(registry.seen).toEqual([{ user: USER, key: KEY }]);
    expect(made.json<ConnectionObject>().status).toBe("active");
    expect(made.stderr).not.toContain(KEY);
  });

  test("offers the available providers", async () => {
    const answers = { Provider: "\r", "User name": `${USER}\r`, "Subscription key": `${KEY}\r` };
    const made = await run(["add", "--merchant", "shop", "--json"], answering(answers));
    expect(made.exitCode).toBe(0);
    expect(made.json()).toMatchObject({ provider: "registry_direct", status: "active" });
    expect(made.stderr).toContain("Wrapp");
    expect(made.stderr).not.toContain("sandbox");
  });

  test("lets the person choose one of two ways to name the user", async () => {
    const answers = { "API key": "an-api-key\r", Choose: "\r", "User id at": "u-1\r" };
    const env = { FISCAL_PROVIDERS__PROVIDER_A__TEST_URL: registry.url };
    const args = ["add", "--merchant", "shop", "--provider", "provider_a"];
    const made = await run(args, { ...answering(answers), env });
    // The fake registry has no login, so this provider does not respond.
    expect(made).toMatchObject({ exitCode: 5, stdout: "" });
    expect(registry.seen).toHaveLength(1);
    expect(made.stderr).toContain("Email address for signing in to Wrapp");
    expect(made.stderr).not.toContain("an-api-key");
  });

  test("exits with 130 and stores nothing on Ctrl-C at a question", async () => {
    const made = await run([...ADD, "--user-id", USER], answering({ "Subscription key": "\u0003" }));
    expect(made).toMatchObject({ exitCode: 130, stdout: "" });
    expect(registry.seen).toEqual([]);
    expect(await list()).toEqual([]);
  });

  const ADD_A = ["add", "--merchant", "shop", "--provider", "provider_a"];

  test("calls Wrapp by its name for people, and by its value in JSON", async () => {
    const tenant = { apiKey: KEY, email: "shop@example.com", userId: "user-4711", vat: SUPPLIER };
    const wrapp = await startFakeProviderA({ tenants: [tenant] });
    const env = {
      FISCAL_PROVIDERS__PROVIDER_A__TEST_URL: wrapp.url,
      FISCAL_CREDENTIAL_API_KEY: KEY,
      FISCAL_CREDENTIAL_EMAIL: "shop@example.com",
    };
    const added = await run(ADD_A, { env });
    expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Wrapp (test)") });
    const calls = await workshop.run("calls list");
    const listed = await run(["list"]);
    for (const { stdout } of [added, calls, listed]) {
      expect(stdout).toContain("Wrapp");
      expect(stdout).not.toContain("provider_a");
    }
    expect(await list()).toMatchObject([{ provider: "provider_a" }]);
    await wrapp.close();
  });
});

describe("connections list", () => {
  test("lists the connections of one merchant or all, newest first", async () => {
    await addShop(workshop, "other");
    const shop = (await add()).json<ConnectionObject>();
    const env = { FISCAL_CREDENTIAL_USER_ID: USER, FISCAL_CREDENTIAL_SUBSCRIPTION_KEY: KEY };
    const args = ["add", "--merchant", "other", "--provider", "registry_direct", "--json"];
    const other = (await run(args, { env })).json<ConnectionObject>();
    expect(await list()).toEqual([other, shop]);
    expect(await list("--merchant", "SHOP")).toEqual([shop]);
    expect(await list("--limit", "1", "--starting-after", other.id)).toEqual([shop]);
    expect(await list("--live")).toEqual([]);
    expect((await run(["list"])).stdout).toMatch(/registry_direct\tactive/);
    expect(await run(["list", "--merchant", "nobody"])).toMatchObject({ exitCode: 3 });
  });
});

describe("connections verify", () => {
  test("exits with 4 until the provider accepts the credentials, then makes the connection active", async () => {
    const { id } = (await add("not-yet-known")).json<ConnectionObject>();
    const refused = await run(["verify", id]);
    expect(refused.exitCode).toBe(4);
    expect(refused.stdout).toMatch(/^status +invalid$/m);
    expect(refused.stderr).toContain("The provider refused the credentials");
    registry.accepted = "not-yet-known";
    const verified = await run(["verify", id, "--json"]);
    expect(verified).toMatchObject({ exitCode: 0, stderr: "" });
    expect(verified.json()).toMatchObject({ id, status: "active", last_error: null });
  });

  test("exits with 0 for an active connection and with 5 without a response", async () => {
    const { id } = (await add()).json<ConnectionObject>();
    const verified = await run(["verify", id, "--json"]);
    expect(verified).toMatchObject({ exitCode: 0, stderr: "" });
    expect(verified.json()).toMatchObject({ id, status: "active" });
    await registry.stop();
    expect(await run(["verify", id])).toMatchObject({ exitCode: 5, stdout: "" });
    expect(await list()).toMatchObject([{ id, status: "active" }]);
  });
});

describe("connections disconnect", () => {
  test("asks for confirmation and mentions pending documents", async () => {
    const { id } = (await add()).json<ConnectionObject>();
    const queue = ["documents", "issue", "-", "--format", "ndjson", "--merchant", "shop", "--no-wait"];
    await workshop.run(queue, { stdin: lines([receipt("A-1")]) });
    expect(await run(["disconnect", id])).toMatchObject({ exitCode: 2, stdout: "" });
    const refused = await run(["disconnect", id], answering({ "Disconnect the connection": "n\r" }));
    expectRefused(refused, 1, "One document of the merchant is still pending");
    expect(await list()).toMatchObject([{ status: "active" }]);
    const yes = await run(["disconnect", id, "--yes", "--json"]);
    expect(yes).toMatchObject({ exitCode: 0, stderr: "" });
    expect(yes.json()).toMatchObject({ id, status: "disconnected" });
    expect(await run(["verify", id])).toMatchObject({ exitCode: 1, stdout: "" });
  });
});

describe("connections link", () => {
  test("prints only the link to stdout and its expiry to stderr", async () => {
    const env = { FISCAL_SERVER__PUBLIC_URL: "https://fiscal.example.com" };
    const made = await run(["link", "--merchant", "shop"], { env });
    expect(made.exitCode).toBe(0);
    expect(made.stdout).toMatch(/^https:\/\/fiscal\.example\.com\/connect\/[\w-]{43}\n$/);
    expect(made.stderr).toMatch(/Valid until \d{4}-\d\d-\d\d \d\d:/);
    expect(made.stderr).not.toContain(made.stdout.trim().slice(-20));
    expect(made.stderr).not.toContain("server.public_url");
  });

  test("--json prints the session with its url", async () => {
    const args = ["--provider", "registry_direct", "--return-url", "https://example.com/back"];
    const made = await run(["link", "--merchant", "shop", ...args, "--json"]);
    expect(made.json()).toMatchObject({
      object: "connect_session",
      provider: "registry_direct",
      completed_at: null,
      url: expect.stringContaining("/connect/") as string,
    });
    expect(made.stderr).toContain("server.public_url");
  });
});
