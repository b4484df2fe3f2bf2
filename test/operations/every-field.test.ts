/** Every field of every operation, through HTTP, MCP, the command line and the console: the same values are refused, for the same reason. */
import type { Client } from "@modelcontextprotocol/client";
import type { Command } from "commander";
import { beforeAll, describe, expect, test } from "vitest";
import { operationOf } from "../../commands/verb.ts";
import { allOperations } from "../../server/app.ts";
import { toolName } from "../../server/mcp/tools.ts";
import type { BodyFlag, Operation } from "../../src/operations/operation.ts";
import { PAGE_FIELDS, type QueryField } from "../../src/operations/field.ts";
import { openMcpServer } from "../helpers/mcp.ts";
import { openShop } from "../helpers/receipts.ts";
import { fieldsOf, openVisitor, type Visitor } from "../helpers/console.ts";
import { openTree } from "../helpers/tree.ts";
import { forAllTests } from "../helpers/set-up.ts";

let client: Client;
const workshop = forAllTests(openShop);
const server = forAllTests(() => openMcpServer({ env: { FISCAL_RATE_LIMIT__REQUESTS: "0" } }));
let visitor: Visitor;
beforeAll(async () => {
  client = await server.connect();
  visitor = openVisitor(server.appliance);
  await visitor.signIn("test");
});

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

const fields: FieldCase[] = allOperations().flatMap((operation) =>
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

describe("a wrong value of a parameter is refused with the same meaning, and a right one is taken", () => {
  test.each(fields.map((field) => [field.operation.id, field.name, field] as const))(
    "%s: %s",
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
});

/** The texts of an example, for a form. */
function strings(sample: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sample).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function textOf(html: string): string {
  return html.replace(/&#(\d+);/g, (_entity, code) => String.fromCodePoint(Number(code)));
}

const bodies = allOperations().flatMap((operation) =>
  Object.entries(operation.verb?.flags ?? {}).map(([path, flag]) => ({ operation, path, flag })),
);

function wrongValueOf({ kind, name, words }: BodyFlag): { text: string; value: unknown } {
  if (kind === "integer") return { text: "-1", value: -1 };
  if (kind === "pairs") return { text: `${"k".repeat(200)}=x`, value: { ["k".repeat(200)]: "x" } };
  if (kind === "list") return { text: "nonsense", value: ["nonsense"] };
  if (words !== undefined || name.endsWith("<url>") || name.endsWith("<endpoint>"))
    return { text: "nonsense", value: "nonsense" };
  return { text: "x".repeat(5000), value: "x".repeat(5000) };
}

describe("a wrong value of a body's field is refused with the same meaning", () => {
  test.each(
    bodies
      .filter(({ flag }) => !flag.name.endsWith("<instant>"))
      .map(({ operation, path, flag }) => [operation.id, path, operation, flag] as const),
  )("%s: %s", async (id, path, operation, flag) => {
    const { text, value } = wrongValueOf(flag);
    const { method } = operation;
    const sample = operation.example ?? {};
    const object = await known(operation);
    const address = `/api/v1${operation.path.replace("{id}", object)}`;
    const body = method === "POST" ? { ...sample, [path]: value } : { [path]: value };
    const reply = await (method === "POST"
      ? server.post(address, body)
      : server.request(method, address, { body }));
    const { message = "" } = reply.body as { message?: string };
    expect(reply.status, message).toBe(400);
    const reason = reasonOf(message, path);
    const ids = operation.path.includes("{id}") ? { id: object } : {};
    await expectToolRefuses(id, { ...ids, ...body }, reason);

    // Its checkboxes offer nothing else, and its menus neither.
    if (PAGES[id] !== undefined && flag.words === undefined) {
      const page = PAGES[id].replace("{id}", object);
      const filled = { ...fieldsOf(await visitor.get(page)), ...strings(sample), [path]: text };
      const shown = await visitor.post(page, filled, { from: page });
      expect(shown.status).toBe(400);
      expect(shown.html).toMatch(
        new RegExp(`id="${path}"[^>]* aria-invalid="true"[^>]*>.*id="${path}-mistake"`, "s"),
      );
      expect(textOf(shown.html)).toContain(reason);
    }

    const asked = Object.entries(operation.verb?.flags ?? {}).filter(
      ([other, { ask }]) => ask !== undefined && other !== path,
    );
    const answers = asked.flatMap(([other, { name }]) => [
      `--${name.split(" ", 1)[0]}`,
      [sample[other]].flat().join(","),
    ]);
    for (const words of verbs.get(id) ?? []) {
      const run = await workshop.run([...words, ...answers, `--${flag.name.split(" ", 1)[0]}`, text]);
      expect(run).toMatchObject({ exitCode: 2, stdout: "" });
      expect(run.stderr).toContain(`--${flag.name.split(" ", 1)[0]} ${reason}`);
    }
  });

  /** The id of something that exists, as a body is checked after what it is for. */
  async function known({ path }: Operation): Promise<string> {
    if (!path.includes("{id}")) return "";
    if (path.startsWith("/webhook_endpoints")) {
      const made = { url: "https://shop.example/hooks", enabled_events: ["*"] };
      return ((await server.post("/api/v1/webhook_endpoints", made)).body.data as { id: string }).id;
    }
    const merchant = { external_id: `m-${Math.random()}`, name: "x", tax_id: "123456783" };
    const { id } = (await server.post("/api/v1/merchants", merchant)).body.data as { id: string };
    if (!path.startsWith("/events")) return id;
    return ((await server.get("/api/v1/events?limit=1")).body.data as { id: string }[])[0]!.id;
  }
});
