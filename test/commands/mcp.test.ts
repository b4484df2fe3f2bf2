import { describe, expect, test } from "vitest";
import type { ApiRequestObject } from "../../src/logs/log-objects.ts";
import { listed } from "../helpers/issuing.ts";
import { expectRefused, expectSaid, openWorkshop, type Run, type RunOptions } from "../helpers/program.ts";
import { addShop, lines, receipt } from "../helpers/receipts.ts";
import { forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openWorkshop);

interface Result {
  isError?: boolean;
  tools: { name: string }[];
  structuredContent: { code?: string; data: { id: string; mode: string; status: string }[] };
}

interface Message {
  id: number;
  result: Result;
  error?: { code: number; message: string };
}

let id = 0;
const request = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: (id += 1), method, params });
const callOf = (name: string, args: object = {}) => request("tools/call", { name, arguments: args });

const START = [
  request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "x", version: "1" },
  }),
  { jsonrpc: "2.0", method: "notifications/initialized" },
];

/** Sends the messages, then closes standard input. */
function converse(messages: readonly unknown[], flags = "", options: RunOptions = {}): Promise<Run> {
  return workshop.run(`mcp ${flags}`, { stdin: lines([...START, ...messages]), ...options });
}

/** The messages on standard output, which carries nothing else. */
function answersIn({ stdout }: Run): Map<number, Message> {
  const messages = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Message);
  return new Map(messages.map((message) => [message.id, message]));
}

/** The result of the one request. */
async function answerTo(message: { id: number }, flags = "", options: RunOptions = {}): Promise<Result> {
  return answersIn(await converse([message], flags, options)).get(message.id)!.result;
}

const toolsWith = async (flags = "") =>
  (await answerTo(request("tools/list"), flags)).tools.map(({ name }) => name);

/** A body for the new shop. */
async function receiptOfShop(): Promise<object> {
  return { merchant: await addShop(workshop), document: receipt(undefined).document };
}

describe("fiscal mcp", () => {
  test("answers every request before the end of its input, then ends with 0", async () => {
    const [list, ping] = [request("tools/list"), request("ping")];
    const run = await converse([list, ping]);
    expectSaid(run, 0, /^Created the data directory .*\n$/);
    const answers = answersIn(run);
    expect(answers.size).toBe(3);
    expect(answers.get(list.id)?.result.tools.map(({ name }) => name)).toContain("issue_document");
    expect(answers.get(ping.id)?.result).toEqual({});
  });

  test("issues without a server: there is one document, with its MARK, when the program ends", async () => {
    const body = await receiptOfShop();
    const first = await answerTo(callOf("issue_document", body));
    expect(first.structuredContent.data).toMatchObject({ status: "pending" });
    expect((await converse([callOf("issue_document", body)])).exitCode).toBe(0);
    expect(await listed(workshop)).toMatchObject([{ status: "issued", mark: expect.stringMatching(/^4/) }]);
  });

  test("acts in the mode of the command line, and logs two rows per call in both modes", async () => {
    expect((await answerTo(callOf("list_documents"), "--live")).structuredContent.data).toEqual([]);
    expect(await workshop.list("requests list")).toEqual([]);
    const [outer, inner, ...others] = await workshop.list<ApiRequestObject>("requests list --live");
    expect(others).toEqual([]);
    expect(outer).toMatchObject({ source: "mcp", path: "/mcp", livemode: true });
    expect(inner).toMatchObject({ source: "mcp", path: "/api/v1/documents", request_id: outer?.request_id });
  });

  test("changes nothing with --read-only", async () => {
    const refused = { isError: true, structuredContent: { code: "not_supported" } };
    const issue = callOf("issue_document", await receiptOfShop());
    expect(await answerTo(issue, "--read-only")).toMatchObject(refused);
    expect(await toolsWith("--read-only")).not.toContain("issue_document");
  });

  test("offers the toolsets of --tools, and names them all when one is unknown", async () => {
    expect(await toolsWith("--tools tax_numbers,doctor")).toEqual(["lookup_tax_id", "doctor"]);
    expect(await toolsWith("--tools all")).toEqual(expect.arrayContaining(["list_events", "doctor"]));
    expect(await toolsWith()).not.toContain("doctor");
    const wrong = await converse([], "--tools invoices");
    expectRefused(wrong, 2, /--tools must be all, or some of these .*documents, merchants, .*doctor/);
  });

  test("lets the operator's session see what doctor finds, with commands for this data directory", async () => {
    const { structuredContent } = await answerTo(callOf("doctor"), "--tools doctor");
    const { data } = structuredContent as unknown as {
      data: { healthy: boolean; findings: { check: string; message: unknown }[] };
    };
    expect(data.healthy).toEqual(expect.any(Boolean));
    const checks = data.findings.map(({ check }) => check);
    expect(checks).toEqual(expect.arrayContaining(["database", "numbering"]));
    for (const { message } of data.findings) expect(message).toEqual(expect.any(String));
  });

  test("ends at SIGTERM with open input", async () => {
    const run = await workshop.run("mcp", {
      terminal: true,
      stdin: lines(START),
      onOutput: (text, program) => void (text.includes("serverInfo") && program.interrupt("SIGTERM")),
    });
    expect(run.exitCode).toBe(0);
  });

  test("ignores a line that is not a message, with a warning that does not repeat it", async () => {
    const ping = request("ping");
    const stdin = `${lines(START)}{"hush": "hush-hush"\n{"hello": "hush-hush"}\n${lines([ping])}`;
    const run = await workshop.run("mcp", { stdin });
    expect(answersIn(run).has(ping.id)).toBe(true);
    expect(run.stderr).toMatch(/not a protocol message/);
    expect(run.stderr + run.stdout).not.toContain("hush-hush");
  });

  test("rejects a body over the limit with its code, and ends at a message too large to read", async () => {
    const env = { FISCAL_SERVER__MAX_BODY_BYTES: "2048" };
    const call = callOf("create_merchant", { external_id: "a", name: "x".repeat(3000) });
    const refused = { isError: true, structuredContent: { code: "payload_too_large" } };
    expect(await answerTo(call, "", { env })).toMatchObject(refused);
    const cut = await converse([callOf("create_merchant", { name: "x".repeat(1_100_000) })], "", { env });
    expectSaid(cut, 2, /larger than 1052672 bytes/);
  });

  test("does not wait for a cancelled call at the end", async () => {
    const call = callOf("list_documents");
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: call.id } };
    expect((await converse([call, cancel])).exitCode).toBe(0);
  });
});

describe("--api-key-file", () => {
  /** Writes a new key of the mode to the file `key`, and returns it. */
  async function makeKey(mode: string): Promise<string> {
    const { stdout } = await workshop.run(`keys create --mode ${mode} --name agent`);
    await workshop.write("key", stdout);
    return stdout.trim();
  }
  const WITH_KEY = "--api-key-file key";

  test("acts in the mode of the key", async () => {
    await addShop(workshop);
    await makeKey("live");
    const { structuredContent } = await answerTo(callOf("list_merchants"), WITH_KEY);
    expect(structuredContent.data).toHaveLength(1);
    expect(await workshop.list("requests list --live")).toHaveLength(2);
  });

  test("has no doctor, whose findings concern both modes", async () => {
    await makeKey("live");
    expectRefused(await converse([], `--tools doctor ${WITH_KEY}`), 2, "only fiscal mcp without a key");
    expect(await toolsWith(`--tools all ${WITH_KEY}`)).not.toContain("doctor");
    const call = callOf("doctor");
    const answers = answersIn(await converse([call], `--tools all ${WITH_KEY}`));
    expect(answers.get(call.id)?.error?.code).toBe(-32_602);
  });

  test("rejects calls once the key is revoked", async () => {
    const key = await makeKey("test");
    const [first, second] = [callOf("list_merchants"), callOf("list_merchants")];
    const run = await workshop.run(`mcp ${WITH_KEY}`, {
      terminal: true,
      stdin: lines([...START, first]),
      onOutput(text, program) {
        if (text.includes(`"id":${second.id}`)) program.endInput();
        else if (text.includes(`"id":${first.id}`))
          void workshop.run(`keys revoke ${key.slice(-4)} --yes`).then(() => program.type(lines([second])));
      },
    });
    const answers = answersIn(run);
    expect(answers.get(first.id)?.result.isError).toBeUndefined();
    const refused = { isError: true, structuredContent: { code: "unauthorized" } };
    expect(answers.get(second.id)?.result).toMatchObject(refused);
    expect(run.stdout + run.stderr).not.toContain(key);
  });

  test("rejects an invalid key at the start, and a test key with --live", async () => {
    await makeKey("test");
    expectRefused(await converse([], `--live ${WITH_KEY}`), 2);
    await workshop.write("key", "fiscal_test_nonsense");
    const run = await converse([], WITH_KEY);
    expectRefused(run, 1, "is not valid");
    expect(run.stderr).not.toContain("nonsense");
  });
});
