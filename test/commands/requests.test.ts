import { PassThrough } from "node:stream";
import { beforeEach, describe, expect, test } from "vitest";
import { showTrace } from "../../commands/requests/index.ts";
import type { Given } from "../../commands/flags.ts";
import type { Trace } from "../../src/documents/trace-request.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import type { EventObject } from "../../src/journal/event-object.ts";
import type { ApiRequestDetail, ApiRequestObject, ProviderCallObject } from "../../src/logs/log-objects.ts";
import { openWorkshop, type Run, type RunningProgram } from "../helpers/program.ts";
import { addShop, receipt } from "../helpers/receipts.ts";
import { forEachTest } from "../helpers/set-up.ts";

let merchant: string;
const workshop = forEachTest(openWorkshop);
beforeEach(async () => {
  merchant = await addShop(workshop);
});

interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/**
 * Runs a server, sends `requests` one after the other, and stops it once they are logged. Returns their x-request-ids. With
 * `issued` it waits until a document has its MARK.
 */
async function send(requests: readonly Sent[], until?: "issued"): Promise<string[]> {
  const { stdout } = await workshop.run("keys create --mode test --name requests");
  const ids: string[] = [];
  let begun: ((served: { url: string; program: RunningProgram }) => void) | undefined;
  const beginning = new Promise<{ url: string; program: RunningProgram }>((resolve) => (begun = resolve));
  const ended = workshop.run("serve --port 0", {
    onOutput(text, program) {
      const url = /^fiscal listens on (\S+)$/m.exec(text)?.[1];
      if (url !== undefined) begun?.({ url, program });
    },
  });
  const { url, program } = await beginning;
  for (const { method = "GET", path, headers, body } of requests) {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${stdout.trim()}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await response.text();
    ids.push(response.headers.get("x-request-id") ?? "");
  }
  if (until === "issued") {
    await workshop.run("events tail --from-start --type document.issued", {
      onOutput: (text, tailing) => void (text.includes("document.issued") && tailing.interrupt()),
    });
  }
  program.interrupt();
  expect((await ended).exitCode).toBe(0);
  return ids;
}

function issuing(reference: string, headers: Record<string, string> = {}): Sent {
  return {
    method: "POST",
    path: "/documents",
    headers: { "idempotency-key": `key-${reference}`, ...headers },
    body: { merchant, ...receipt(reference) },
  };
}

async function list(...args: string[]): Promise<ApiRequestObject[]> {
  const run = await workshop.run(["requests", "list", "--json", ...args]);
  expect(run.exitCode).toBe(0);
  return run.json<{ data: ApiRequestObject[] }>().data;
}

function show(...args: string[]): Promise<Run> {
  return workshop.run(["requests", "show", ...args]);
}

interface Story {
  requests: ApiRequestDetail[];
  document: DocumentObject | null;
  provider_calls: ProviderCallObject[];
  events: EventObject[];
}

describe("requests list", () => {
  test("lists newest first and filters by status, operation, document, x-request-id and time", async () => {
    const [listing, missing, issued] = await send([
      { path: "/documents" },
      { path: "/documents/doc_0000000000000000000000" },
      issuing("A-1"),
    ]);
    const all = await list();
    expect(all.map(({ request_id: id }) => id)).toEqual([issued, missing, listing]);
    const [newest, middle, oldest] = all;
    expect(await list("--status", "404")).toEqual([middle]);
    expect(await list("--operation", "listDocuments")).toEqual([oldest]);
    expect(await list("--operation", "noSuchOperation")).toEqual([]);
    expect(await list("--document", newest!.document!)).toEqual([newest]);
    expect(await list("--request-id", missing!)).toEqual([middle]);
    expect(await list("--created-to", "2026-01-01")).toEqual([]);
    expect(await list("--live")).toEqual([]);
    const table = await workshop.run("requests list");
    expect(table.stdout).toMatch(/issueDocument\t201/);
  });
});

describe("requests show", () => {
  test("shows the request with its document, provider calls and events, oldest first", async () => {
    const [id] = await send([issuing("A-1")], "issued");
    const run = await show(id!, "--json");
    expect(run.exitCode).toBe(0);
    const story = run.json<Story>();
    expect(Object.keys(story)).toEqual(["requests", "document", "provider_calls", "events"]);
    expect(story.requests).toMatchObject([
      {
        request_id: id,
        operation_id: "issueDocument",
        status: 201,
        request: { method: "POST", body: { merchant, external_reference: "A-1" } },
        response: { status: 201, body: { data: { object: "document" } } },
      },
    ]);
    expect(story.document).toMatchObject({ external_reference: "A-1", id: story.requests[0]!.document });
    expect(story.events[0]).toMatchObject({ type: "document.created", request: { id } });
    expect(story.events.map(({ id: event }) => event)).toEqual(
      story.events.map(({ id: event }) => event).toSorted(),
    );
    expect(story.events.map(({ type }) => type)).toEqual(["document.created", "document.issued"]);
    expect(story.provider_calls[0]).toMatchObject({ operation: "issue" });
    for (const call of story.provider_calls) expect(call.document).toBe(story.document!.id);
  });

  test("prints the API's object for an id of the log with --json", async () => {
    const [id] = await send([issuing("A-1")]);
    const { requests } = (await show(id!, "--json")).json<Story>();
    const byOwnId = await show(requests[0]!.id, "--json");
    expect(byOwnId).toMatchObject({ exitCode: 0, stderr: "" });
    expect(byOwnId.json()).toEqual(requests[0]);
    expect((await show(requests[0]!.id)).stdout).toMatch(/^events\n/m);
  });

  test("says nothing there about parts that only the whole story has", async () => {
    const io = { stdout: new PassThrough(), stderr: new PassThrough() };
    const trace = { requests: [{ id: "rql_1" }], omissions: [{ en: "left out", el: "λείπουν" }] };
    const print = (id: string) =>
      showTrace(
        trace as unknown as Trace,
        { context: { io, options: { json: true } }, params: { id } } as unknown as Given,
      );
    await print("rql_1");
    expect(io.stderr.read()).toBeNull();
    await print("req_1");
    expect(String(io.stderr.read())).toContain("left out");
  });

  test("prints headers and indented bodies, then document, calls and events", async () => {
    const [id] = await send([issuing("A-1")], "issued");
    const { stdout } = await show(id!);
    expect(stdout).toMatch(/^request +POST \/api\/v1\/documents$/m);
    expect(stdout).toMatch(/^status +201$/m);
    expect(stdout).toMatch(/^idempotency key +key-A-1$/m);
    expect(stdout).toMatch(/^request\n {2}POST \/api\/v1\/documents\n {2}\S+: /m);
    expect(stdout).toContain('\n      "external_reference": "A-1"');
    expect(stdout).toMatch(/^response\n {2}201\n/m);
    expect(stdout).toMatch(/^document\n[\s\S]*^provider calls\n[\s\S]*^events\n/m);
    expect(stdout).toMatch(/document\.created\treq_/);
    expect(stdout).not.toMatch(/fiscal_test_/);
  });

  test("shows no document for a request without one", async () => {
    const [id] = await send([{ path: "/documents?limit=0" }]);
    const run = await show(id!, "--json");
    expect(run.json()).toMatchObject({
      requests: [{ status: 400, request: { body: null } }],
      document: null,
      provider_calls: [],
      events: [],
    });
    expect((await show(id!)).stdout).not.toContain("events");
  });

  test("shows every request with an x-request-id, and names the omitted documents", async () => {
    const named = { "x-request-id": "order-4711" };
    await send([issuing("A-1", named), issuing("A-2", named)]);
    const run = await show("client:order-4711", "--json");
    const { requests, document } = run.json<Story>();
    expect(requests.map(({ idempotency_key: key }) => key)).toEqual(["key-A-1", "key-A-2"]);
    expect(document!.id).toBe(requests[0]!.document);
    expect(run.stderr).toContain(requests[1]!.document!);
  });

  test("exits with 3 for a request of the other mode", async () => {
    const [id] = await send([{ path: "/documents" }]);
    expect(await show(id!, "--live")).toMatchObject({ exitCode: 3, stdout: "" });
  });
});
