/** Every field of every operation, through HTTP, MCP, the command line and the console: the same values are refused, for the same reason. */
import type { Client } from "@modelcontextprotocol/client";
import type { Command } from "commander";
import { beforeAll, expect, test } from "vitest";
import { operationOf } from "../../commands/define.ts";
import { OPERATIONS } from "../../server/app.ts";
import { toolName } from "../../server/mcp/tools.ts";
import type { BodyFlag, Operation } from "../../src/operations/operation.ts";
import { PAGE_FIELDS, type QueryField } from "../../src/operations/field.ts";
import { openMcpServer } from "../helpers/mcp.ts";
import { openShop } from "../helpers/receipts.ts";
import { fieldsOf, signedIn, type Shown } from "../helpers/console.ts";
import { openTree } from "../helpers/tree.ts";
import { forAllTests } from "../helpers/set-up.ts";
import { expectRefused } from "../helpers/program.ts";

let client: Client;
const workshop = forAllTests(openShop);
const server = forAllTests(() => openMcpServer({ env: { FISCAL_RATE_LIMIT__REQUESTS: "0" } }));
const visitor = forAllTests(() => signedIn(server));
beforeAll(async () => void (client = await server.connect()));

/** The command lines of the verbs that are made of operations, such as `documents list`. */
const verbs = new Map<string, string[][]>();
for (const command of (await openTree()).commands) {
  const operation = operationOf(command);
  if (operation !== undefined && "path" in operation)
    verbs.set(operation.id, [...(verbs.get(operation.id) ?? []), wordsOf(command, operation)]);
}

function wordsOf(command: Command, operation: Operation): string[] {
  const words = [command.parent?.name() ?? "", command.name()];
  const merchant = operation.verb?.merchant === "required" ? ["--merchant", "shop"] : [];
  const argument = operation.verb?.argument === "merchant" ? "shop" : idFor(operation.path);
  return [...words, ...(command.registeredArguments.length === 0 ? [] : [argument]), ...merchant];
}

/** An id that nothing has. */
function idFor(path: string): string {
  const prefixes = { webhook_endpoints: "we", events: "evt", provider_calls: "pcl", connections: "con" };
  const prefix = prefixes[(path.split("/")[1] ?? "") as keyof typeof prefixes] ?? "mer";
  return `${prefix}_${"0".repeat(22)}`;
}

/** The console's pages that are made of operations. */
const PAGES: Readonly<Record<string, string>> = {
  listDocuments: "/console/documents",
  listMerchants: "/console/merchants",
  listConnections: "/console/connections",
  listWebhookEndpoints: "/console/webhooks",
  listEvents: "/console/events",
  listRequests: "/console/requests",
  listProviderCalls: "/console/calls",
  createMerchant: "/console/merchants/new",
  updateMerchant: "/console/merchants/{id}/details",
  createWebhookEndpoint: "/console/webhooks/new",
};

interface FieldCase {
  operation: Operation;
  name: string;
  wrong: string;
  right: string;
  flag: string | undefined;
}

const fields: FieldCase[] = OPERATIONS.flatMap((operation) =>
  Object.entries(operation.query).map(([name, parameter]) => ({
    operation,
    name,
    ...valuesOf(parameter),
    flag: parameter.flag && `--${parameter.flag.name.split(" ", 1)[0]}`,
  })),
);

function valuesOf({ json }: QueryField<unknown>): { wrong: string; right: string } {
  const {
    type,
    format,
    enum: words,
    pattern,
    minimum,
  } = (json["items"] ?? json) as {
    type: string;
    format?: string;
    enum?: string[];
    pattern?: string;
    minimum?: number;
  };
  if (words !== undefined) return { wrong: "nonsense", right: words[0]! };
  if (type === "boolean") return { wrong: "maybe", right: "true" };
  if (type === "integer") return { wrong: "12x", right: String(minimum) };
  if (format === "date") return { wrong: "2025-02-30", right: "2025-02-28" };
  if (format === "date-time") return { wrong: "yesterday", right: "2025-11-21T10:00:00Z" };
  if (pattern === undefined) return { wrong: "x".repeat(5000), right: "x" };
  const [, prefix] = /^\^(\w+)_\[/.exec(pattern) ?? [];
  const samples = ["400001234567890", "issueDocument", "req_00000000-0000-7000-8000-000000000000"];
  const right = prefix === undefined ? samples.find((sample) => new RegExp(pattern).test(sample)) : undefined;
  return { wrong: "?", right: right ?? `${prefix}_${"0".repeat(22)}` };
}

async function overHttp(
  { path, method, query, example }: Operation,
  values: Readonly<Record<string, string>>,
) {
  const needed = Object.entries(query).filter(([, { isRequired }]) => isRequired === true);
  const sample = needed.map(([name, parameter]) => [name, valuesOf(parameter).right]);
  const search = new URLSearchParams({ ...Object.fromEntries(sample), ...values });
  const address = `/api/v1${path.replace("{id}", idFor(path))}?${search}`;
  const reply = await (method === "GET" ? server.get(address) : server.post(address, example));
  return { status: reply.status, message: String((reply.body as { message?: string }).message ?? "") };
}

/** What is wrong with the field or with its first item, without its name: `must be one of …`. */
function reasonOf(message: string, name: string): string {
  const at = message.indexOf(name);
  expect(at, `${name} in ${message}`).not.toBe(-1);
  return /: (.*?)(?:; |$)/.exec(message.slice(at))![1]!;
}

async function expectToolRefuses(id: string, given: Record<string, unknown>, reason: string): Promise<void> {
  const result = await client.callTool({ name: toolName(id), arguments: given });
  expect(result.isError).toBe(true);
  const [{ text }] = result.content as unknown as [{ text: string }];
  expect((JSON.parse(text) as { message: string }).message).toContain(reason);
}

/** Taken only if the list has the item. */
const CURSORS: ReadonlySet<string> = new Set(["starting_after", "ending_before"]);

test.each(fields.map((field) => [field.operation.id, field.name, field] as const))(
  "%s: a wrong %s is refused with the same meaning, and a right one is taken",
  async (id, name, { operation, wrong, right, flag }) => {
    const refused = await overHttp(operation, { [name]: wrong });
    expect(refused.status).toBe(400);
    const reason = reasonOf(refused.message, name);
    const taken = await overHttp(operation, { [name]: right });
    if (!CURSORS.has(name)) expect(taken.message).not.toContain(name);

    const argument = name.replaceAll(/\[(\w+)\]/g, "_$1");
    const ids = operation.path.includes("{id}") ? { id: idFor(operation.path) } : {};
    await expectToolRefuses(id, { ...ids, [argument]: wrong }, reason);

    if (PAGES[id] !== undefined && name !== "limit") {
      const shown = await visitor.get(`${PAGES[id]}?${new URLSearchParams({ [name]: wrong })}`);
      expect(shown.status).toBe(400);
      expect(textOf(shown.html)).toContain(reason);
    }

    for (const words of flag === undefined ? [] : (verbs.get(id) ?? [])) {
      const isTail = words[1] === "tail";
      if (isTail && (name in PAGE_FIELDS || name.startsWith("created["))) continue;
      const run = await workshop.run([...words, flag!, wrong]);
      const isMerchant = operation.query[name]!.flag!.name.endsWith("<merchant>");
      // A merchant may be named by its external id, and an instant by its day.
      expect(run).toMatchObject({ exitCode: isMerchant ? 3 : 2, stdout: "" });
      if (!isMerchant && wrong !== "yesterday") expect(run.stderr).toContain(`${flag} ${reason}`);
      // It would follow the list until it is interrupted.
      if (isTail) continue;
      const done = await workshop.run([...words, flag!, isMerchant ? "shop" : right]);
      expect(done.exitCode, done.stderr).toBeOneOf(CURSORS.has(name) ? [2, 3] : [0, 3]);
    }
  },
);

/** The texts of an example, for a form. */
function strings(sample: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sample).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function textOf(html: string): string {
  return html.replace(/&#(\d+);/g, (_entity, code) => String.fromCodePoint(Number(code)));
}

const bodies = OPERATIONS.flatMap((operation) =>
  Object.entries(operation.verb?.flags ?? {}).map(([path, flag]) => ({ operation, path, flag })),
);

/** A value as a person types it and as a body has it. */
interface Typed {
  text: string;
  value: unknown;
}

function wrongValueOf({ kind, name, words }: BodyFlag): Typed {
  if (kind === "integer") return { text: "-1", value: -1 };
  if (kind === "pairs") return { text: `${"k".repeat(200)}=x`, value: { ["k".repeat(200)]: "x" } };
  if (kind === "list") return { text: "nonsense", value: ["nonsense"] };
  if (words !== undefined || name.endsWith("<url>") || name.endsWith("<endpoint>"))
    return { text: "nonsense", value: "nonsense" };
  return { text: "x".repeat(5000), value: "x".repeat(5000) };
}

function rightValueOf(path: string, { kind, name, words }: BodyFlag, ids: Ids): Typed {
  if (kind === "integer") return { text: "7", value: 7 };
  if (kind === "pairs") return { text: "plan=x", value: { plan: "x" } };
  const text =
    path === "events"
      ? ids.events
      : path === "enabled_events"
        ? "document.issued"
        : name.endsWith("<endpoint>")
          ? ids.webhook_endpoints
          : name.endsWith("<url>")
            ? "https://shop.example/right"
            : (words?.[0] ?? (path === "tax_id" ? "094012834" : `right ${Math.random()}`));
  return { text, value: kind === "list" ? [text] : text };
}

/** What exists, by the first part of its path. */
type Ids = Record<"merchants" | "webhook_endpoints" | "events", string>;

/** Ids of the server, with a new merchant, as a body is checked after what it is for. */
async function idsOfServer(): Promise<Ids> {
  const make = async (path: string, body: object) =>
    ((await server.post(`/api/v1/${path}`, body)).body.data as { id: string }).id;
  return {
    webhook_endpoints: await make("webhook_endpoints", {
      url: "https://shop.example/",
      enabled_events: ["*"],
    }),
    merchants: await make("merchants", { external_id: `m ${Math.random()}`, name: "x", tax_id: "123456783" }),
    events: ((await server.read("/api/v1/events?limit=1")) as { id: string }[])[0]!.id,
  };
}

/** Ids of the workshop, whose merchant is `shop`. */
async function idsOfWorkshop(): Promise<Ids> {
  const add = ["webhooks", "add", "--url", "https://shop.example/", "--events", "*", "--json"];
  const listed = await workshop.run(["events", "list", "--json"]);
  return {
    webhook_endpoints: (await workshop.run(add)).json<{ id: string }>().id,
    merchants: "shop",
    events: listed.json<{ data: { id: string }[] }>().data[0]!.id,
  };
}

const idIn = ({ path }: Operation, ids: Ids) => ids[path.split("/")[1] as keyof Ids];
/** The body of the example, with a name of its own for what must be unique. */
const sampleOf = ({ example = {} }: Operation): Readonly<Record<string, unknown>> =>
  "external_id" in example ? { ...example, external_id: `m ${Math.random()}` } : example;
const flagOf = ({ name }: BodyFlag) => `--${name.split(" ", 1)[0]}`;

/** The body of `operation` with a field at its path, such as `created.gte`. */
function bodyWith(operation: Operation, path: string, value: unknown): Record<string, unknown> {
  const [name = "", inner] = path.split(".");
  const field = { [name]: inner === undefined ? value : { [inner]: value } };
  return operation.method === "POST" ? { ...sampleOf(operation), ...field } : field;
}

function send({ method, path }: Operation, id: string, body: object) {
  const address = `/api/v1${path.replace("{id}", id)}`;
  return method === "POST" ? server.post(address, body) : server.request(method, address, { body });
}

/** Submits the form of the operation's page with what it shows, the example and the field. */
async function submit(operation: Operation, id: string, path: string, text: string): Promise<Shown> {
  const page = PAGES[operation.id]!.replace("{id}", id);
  const shown = fieldsOf(await visitor.get(page));
  const filled = { ...shown, ...strings(sampleOf(operation)), [path]: text };
  const checked =
    path === "enabled_events" ? { [`enabled_events:${text}`]: "1" } : { "enabled_events:*": "1" };
  return visitor.post(page, { ...filled, ...checked }, { from: page });
}

/** The command line of the verb with the flag, and with what it would ask for. */
function lineWith(words: readonly string[], operation: Operation, path: string, text: string, ids: Ids) {
  const sample = sampleOf(operation);
  const flags = Object.entries(operation.verb?.flags ?? {});
  const asked = flags.filter(([other, { ask }]) => ask !== undefined && other !== path);
  const [, own] = flags.find(([other]) => other === path)!;
  return [
    ...words.map((word) => (word === idFor(operation.path) ? idIn(operation, ids) : word)),
    ...asked.flatMap(([other, flag]) => [flagOf(flag), [sample[other]].flat().join(",")]),
    flagOf(own),
    text,
  ];
}

const rows = bodies.map(({ operation, path, flag }) => [operation.id, path, operation, flag] as const);

test.each(rows.filter(([, , , flag]) => !flag.name.endsWith("<instant>")))(
  "%s: a wrong %s of the body is refused with the same meaning",
  async (id, path, operation, flag) => {
    const { text, value } = wrongValueOf(flag);
    const ids = await idsOfServer();
    const body = bodyWith(operation, path, value);
    const reply = await send(operation, idIn(operation, ids), body);
    const { message = "" } = reply.body as { message?: string };
    expect(reply.status, message).toBe(400);
    const reason = reasonOf(message, path);
    const target = operation.path.includes("{id}") ? { id: idIn(operation, ids) } : {};
    await expectToolRefuses(id, { ...target, ...body }, reason);

    // Its checkboxes offer nothing else, and its menus neither.
    if (PAGES[id] !== undefined && flag.words === undefined) {
      const shown = await submit(operation, idIn(operation, ids), path, text);
      expect(shown.status).toBe(400);
      expect(shown.html).toMatch(
        new RegExp(`id="${path}"[^>]* aria-invalid="true"[^>]*>.*id="${path}-mistake"`, "s"),
      );
      expect(textOf(shown.html)).toContain(reason);
    }

    const here = await idsOfWorkshop();
    for (const words of verbs.get(id) ?? []) {
      const refused = await workshop.run(lineWith(words, operation, path, text, here));
      expectRefused(refused, 2, `${flagOf(flag)} ${reason}`);
    }
  },
);

test.each(rows)("%s: a right %s of the body is taken", async (id, path, operation, flag) => {
  const right = (ids: Ids): Typed => {
    const typed = rightValueOf(path, flag, ids);
    const at = "2026-11-01T00:00:00Z";
    return flag.name.endsWith("<instant>") ? { text: at, value: at } : typed;
  };
  /** What the answer shows of the field, where it shows it. */
  const expectShown = (shown: Record<string, unknown>, { value }: Typed) => {
    if (path in shown) expect(shown[path]).toEqual(value);
  };
  const ids = await idsOfServer();
  const target = idIn(operation, ids);
  const reply = await send(operation, target, bodyWith(operation, path, right(ids).value));
  expect(reply.status, JSON.stringify(reply.body)).toBe(operation.response.status);
  const { data } = reply.body as { data: Record<string, unknown> };

  const given = right(ids);
  const others = operation.path.includes("{id}") ? { id: target } : {};
  const tool = { name: toolName(id), arguments: { ...others, ...bodyWith(operation, path, given.value) } };
  const result = await client.callTool(tool);
  expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
  const { data: called } = result.structuredContent as { data: Record<string, unknown> };
  expectShown(called, given);
  expect(Object.keys(called)).toEqual(Object.keys(data));

  if (PAGES[id] !== undefined && flag.words === undefined) {
    const shown = await submit(operation, target, path, right(ids).text);
    expect(shown.status, textOf(shown.html)).toBeOneOf([200, 303]);
  }

  const here = await idsOfWorkshop();
  for (const words of verbs.get(id) ?? []) {
    const typed = right(here);
    const run = await workshop.run([...lineWith(words, operation, path, typed.text, here), "--json"]);
    expect(run.exitCode, run.stderr).toBe(0);
    expectShown(run.json(), typed);
    // The next row names it `shop` too.
    if (path === "external_id" && words[1] === "update")
      await workshop.run(["merchants", "update", typed.text, "--external-id", "shop"]);
  }
});

/** The paths of every value in `sample`: [`document`, `lines`, `0`, `quantity`]. */
function pathsIn(sample: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof sample !== "object" || sample === null) return [path];
  return Object.entries(sample).flatMap(([key, inner]) => pathsIn(inner, [...path, key]));
}

/** Those of examples whose fields have no flag: documents, settings and credentials. */
const inner = OPERATIONS.flatMap((operation) =>
  pathsIn(operation.example ?? {})
    .filter(([first = ""]) => first !== "" && !Object.hasOwn(operation.verb?.flags ?? {}, first))
    .map((path) => [operation.id, path.join("."), operation, path] as const),
).filter(([, path]) => path !== "created.gte" && path !== "created.lte");

test.each(inner)(
  "%s: a wrong %s, which has no flag, is refused with the same meaning",
  async (id, _path, operation, path) => {
    const body = structuredClone(operation.example) as Record<string, unknown>;
    const place = path.slice(0, -1).reduce<Record<string, unknown>>((at, key) => at[key] as never, body);
    place[path.at(-1)!] = [{}];
    const target = operation.path.startsWith("/merchants/") ? server.merchant : idFor(operation.path);
    const reply = await send(operation, target, body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(400);
    const reason = reasonOf((reply.body as { message: string }).message, path.at(-1)!);
    const ids = operation.path.includes("{id}") ? { id: target } : {};
    await expectToolRefuses(id, { ...ids, ...body }, reason);
  },
);
