import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listed } from "../helpers/issuing.ts";
import { openWorkshop, type Run, type RunOptions } from "../helpers/program.ts";
import { addShop, lines } from "../helpers/receipts.ts";
import { forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openWorkshop);

interface Message {
  id: number;
  result: {
    isError?: boolean;
    tools: { name: string }[];
    structuredContent: {
      code?: string;
      message?: string;
      data: { id: string; mode: string; status: string }[];
    };
  };
  error?: { code: number; message: string };
}

let id = 0;
function request(method: string, params: object = {}) {
  id += 1;
  return { jsonrpc: "2.0", id, method, params };
}

const START = [
  request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "x", version: "1" },
  }),
  { jsonrpc: "2.0", method: "notifications/initialized" },
];
const callOf = (name: string, args: object = {}) => request("tools/call", { name, arguments: args });

/** Sends the messages, then closes standard input. */
function converse(messages: readonly unknown[], args: string[] = [], options: RunOptions = {}): Promise<Run> {
  return workshop.run(["mcp", ...args], { stdin: lines([...START, ...messages]), ...options });
}

/** The messages on standard output, which carries nothing else. */
function answersIn({ stdout }: Run): Map<number, Message> {
  const messages = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Message);
  return new Map(messages.map((message) => [message.id, message]));
}

function receiptFor(merchant: string) {
  return {
    merchant,
    document: {
      type: "11.1",
      issue_date: "2026-01-05",
      currency: "EUR",
      supplier: { tax_id: { country: "GR", code: "123456783" } },
      lines: [{ description: "Καφές", quantity: "1", unit_price: 100, vat_category: "standard" }],
      totals: { net: 100, vat: 24, gross: 124 },
    },
  };
}

async function shop(): Promise<string> {
  await addShop(workshop);
  const { data } = await workshop.read<{ data: { id: string }[] }>("merchants list");
  return data[0]!.id;
}

describe("fiscal mcp", () => {
  test("answers every request before the end of its input, then ends with 0", async () => {
    const [list, ping] = [request("tools/list"), request("ping")];
    const run = await converse([list, ping]);
    expect(run).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/^Created the data directory .*\n$/),
    });
    const answers = answersIn(run);
    expect(answers.size).toBe(3);
    expect(answers.get(list.id)?.result.tools.map(({ name }) => name)).toContain("issue_document");
    expect(answers.get(ping.id)?.result).toEqual({});
  });

  test("issues without a server: there is one document, with its MARK, when the program ends", async () => {
    const merchant = await shop();
    const calls = [1, 2].map(() => callOf("issue_document", receiptFor(merchant)));
    const run = await converse([calls[0]]);
    expect((await converse([calls[1]])).exitCode).toBe(0);
    expect(answersIn(run).get(calls[0]!.id)?.result.structuredContent.data).toMatchObject({
      status: "pending",
    });
    expect(await listed(workshop)).toMatchObject([{ status: "issued", mark: expect.stringMatching(/^4/) }]);
  });

  test("acts in the mode of the command line, and logs two rows per call in both modes", async () => {
    const call = callOf("list_documents");
    const run = await converse([call], ["--live"]);
    expect(answersIn(run).get(call.id)?.result.structuredContent.data).toEqual([]);
    const rows = (mode: string[]) =>
      workshop.run(["requests", "list", "--json", ...mode]).then(
        (listing) =>
          listing.json<{
            data: { source: string; path: string; request_id: string; livemode: boolean }[];
          }>().data,
      );
    expect(await rows([])).toEqual([]);
    const [outer, inner, ...others] = await rows(["--live"]);
    expect(others).toEqual([]);
    expect(outer).toMatchObject({ source: "mcp", path: "/mcp", livemode: true });
    expect(inner).toMatchObject({ source: "mcp", path: "/api/v1/documents", request_id: outer?.request_id });
  });

  test("changes nothing with --read-only", async () => {
    const merchant = await shop();
    const [list, issue, preview] = [
      request("tools/list"),
      callOf("issue_document", receiptFor(merchant)),
      callOf("preview_document", receiptFor(merchant).document),
    ];
    const answers = answersIn(await converse([list, issue, preview], ["--read-only"]));
    expect(answers.get(list.id)?.result.tools.map(({ name }) => name)).not.toContain("issue_document");
    expect(answers.get(issue.id)?.result).toMatchObject({
      isError: true,
      structuredContent: { code: "not_supported" },
    });
    expect(answers.get(preview.id)?.result.isError).toBeUndefined();
    expect(await listed(workshop)).toEqual([]);
  });

  test("offers the toolsets of --tools, and names them all when one is unknown", async () => {
    const list = request("tools/list");
    const names = (run: Run) =>
      answersIn(run)
        .get(list.id)
        ?.result.tools.map(({ name }) => name);
    expect(names(await converse([list], ["--tools", "tax_numbers,doctor"]))).toEqual([
      "lookup_tax_id",
      "doctor",
    ]);
    expect(names(await converse([list], ["--tools", "all"]))).toEqual(
      expect.arrayContaining(["list_events", "doctor"]),
    );
    expect(names(await converse([list]))).not.toContain("doctor");
    const wrong = await converse([list], ["--tools", "invoices"]);
    expect([wrong.exitCode, wrong.stdout]).toEqual([2, ""]);
    expect(wrong.stderr).toMatch(/--tools must be all, or some of these .*documents, merchants, .*doctor/);
  });

  test("lets the operator's session see what doctor finds, with commands for this data directory", async () => {
    const call = callOf("doctor");
    const run = await converse([call], ["--tools", "doctor"]);
    const { data } = answersIn(run).get(call.id)!.result.structuredContent as unknown as {
      data: { healthy: boolean; findings: { check: string; message: unknown }[] };
    };
    expect(data.healthy).toEqual(expect.any(Boolean));
    expect(data.findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(["database", "numbering"]),
    );
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
    const run = await converse([call], [], { env });
    expect(answersIn(run).get(call.id)?.result).toMatchObject({
      isError: true,
      structuredContent: { code: "payload_too_large" },
    });
    const cut = await converse([callOf("create_merchant", { name: "x".repeat(1_100_000) })], [], { env });
    expect(cut.exitCode).toBe(2);
    expect(cut.stderr).toMatch(/larger than 1052672 bytes/);
  });

  test("does not wait for a cancelled call at the end", async () => {
    const call = callOf("list_documents");
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: call.id } };
    expect((await converse([call, cancel])).exitCode).toBe(0);
  });
});

describe("--api-key-file", () => {
  async function keyFile(mode: string): Promise<{ file: string; key: string }> {
    const made = await workshop.run(`keys create --mode ${mode} --name agent`);
    const file = join(workshop.folder, "key");
    await writeFile(file, made.stdout);
    return { file, key: made.stdout.trim() };
  }

  test("acts in the mode of the key", async () => {
    await shop();
    const { file } = await keyFile("live");
    const call = callOf("list_merchants");
    const run = await converse([call], ["--api-key-file", file]);
    expect(answersIn(run).get(call.id)?.result.structuredContent.data).toHaveLength(1);
    const { data } = await workshop.read<{
      data: unknown[];
    }>("requests list --live");
    expect(data).toHaveLength(2);
  });

  test("has no doctor, whose findings concern both modes", async () => {
    const { file } = await keyFile("live");
    const run = await converse([], ["--tools", "doctor", "--api-key-file", file]);
    expect([run.exitCode, run.stdout]).toEqual([2, ""]);
    expect(run.stderr).toMatch(/only fiscal mcp without a key/);
    const [list, call] = [request("tools/list"), callOf("doctor")];
    const answers = answersIn(await converse([list, call], ["--tools", "all", "--api-key-file", file]));
    expect(answers.get(list.id)?.result.tools.map(({ name }) => name)).not.toContain("doctor");
    expect(answers.get(call.id)?.error?.code).toBe(-32_602);
  });

  test("rejects calls once the key is revoked", async () => {
    const { file, key } = await keyFile("test");
    const [first, second] = [callOf("list_merchants"), callOf("list_merchants")];
    const run = await workshop.run(`mcp --api-key-file ${file}`, {
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
    expect(answers.get(second.id)?.result).toMatchObject({
      isError: true,
      structuredContent: { code: "unauthorized" },
    });
    expect(run.stdout + run.stderr).not.toContain(key);
  });

  test("rejects an invalid key at the start, and a test key with --live", async () => {
    const { file } = await keyFile("test");
    expect(await converse([], ["--live", "--api-key-file", file])).toMatchObject({ exitCode: 2, stdout: "" });
    await writeFile(file, "fiscal_test_nonsense");
    const run = await converse([], ["--api-key-file", file]);
    expect([run.exitCode, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toMatch(/is not valid/);
    expect(run.stderr).not.toContain("nonsense");
  });
});
