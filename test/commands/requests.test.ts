/** `fiscal requests`. */
import { PassThrough } from "node:stream";
import { beforeAll, expect, test } from "vitest";
import { showTrace } from "../../commands/requests/index.ts";
import type { Given } from "../../commands/flags.ts";
import type { Trace } from "../../src/documents/trace-request.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import type { EventObject } from "../../src/journal/event-object.ts";
import type { ApiRequestDetail, ApiRequestObject, ProviderCallObject } from "../../src/logs/log-objects.ts";
import { openWorkshop } from "../helpers/program.ts";
import { addShop, receipt } from "../helpers/receipts.ts";
import { serve, waitUntilIssued } from "../helpers/serve-command.ts";
import { forAllTests } from "../helpers/set-up.ts";

interface Story {
  requests: ApiRequestDetail[];
  document: DocumentObject | null;
  provider_calls: ProviderCallObject[];
  events: EventObject[];
}

let merchant: string;
/** The x-request-ids of what a server was sent. */
let ids: Record<"issued" | "listing" | "missing" | "wrong", string>;
const workshop = forAllTests(openWorkshop);
beforeAll(async () => {
  merchant = await addShop(workshop);
  const { secret } = await workshop.read<{ secret: string }>("keys create --mode test --name requests");
  const { url, program, ended } = await serve(workshop);
  const send = async (path: string, { body, ...headers }: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body }),
    });
    await response.text();
    return response.headers.get("x-request-id")!;
  };
  const issue = (reference: string, headers = {}) =>
    send("/documents", {
      body: JSON.stringify({ merchant, ...receipt(reference) }),
      "idempotency-key": `key-${reference}`,
      ...headers,
    });
  ids = {
    issued: await issue("A-1"),
    listing: await send("/documents"),
    missing: await send("/documents/doc_0000000000000000000000"),
    wrong: await send("/documents?limit=0"),
  };
  await waitUntilIssued(workshop);
  for (const reference of ["B-1", "B-2"]) await issue(reference, { "x-request-id": "order-4711" });
  program.interrupt();
  expect((await ended).exitCode).toBe(0);
});

const show = (id: string, flags = "") => workshop.run(`requests show ${id} ${flags}`);
const storyOf = (id: string) => workshop.read<Story>(`requests show ${id}`);

test("requests list lists newest first and filters by status, operation, document, x-request-id and time", async () => {
  const list = (flags = "") => workshop.list<ApiRequestObject>(`requests list ${flags}`);
  const all = await list();
  const [, , wrong, missing, listing, issued] = all;
  const named = [wrong, missing, listing, issued].map((request) => request?.request_id);
  expect(named).toEqual([ids.wrong, ids.missing, ids.listing, ids.issued]);
  expect(all).toHaveLength(6);
  expect(await list("--status 404")).toEqual([missing]);
  expect(await list("--operation listDocuments")).toEqual([wrong, listing]);
  expect(await list("--operation noSuchOperation")).toEqual([]);
  expect(await list(`--document ${issued!.document!}`)).toEqual([issued]);
  expect(await list(`--request-id ${ids.missing}`)).toEqual([missing]);
  expect(await list("--created-to 2026-01-01")).toEqual([]);
  expect(await list("--live")).toEqual([]);
  expect((await workshop.run("requests list")).stdout).toMatch(/issueDocument\t201/);
});

test("shows the request with its document, provider calls and events, oldest first", async () => {
  const story = await storyOf(ids.issued);
  expect(Object.keys(story)).toEqual(["requests", "document", "provider_calls", "events"]);
  expect(story.requests).toMatchObject([
    {
      request_id: ids.issued,
      operation_id: "issueDocument",
      status: 201,
      request: { method: "POST", body: { merchant, external_reference: "A-1" } },
      response: { status: 201, body: { data: { object: "document" } } },
    },
  ]);
  expect(story.document).toMatchObject({ external_reference: "A-1", id: story.requests[0]!.document });
  expect(story.events[0]).toMatchObject({ type: "document.created", request: { id: ids.issued } });
  expect(story.events.map(({ type }) => type)).toEqual(["document.created", "document.issued"]);
  expect(story.provider_calls[0]).toMatchObject({ operation: "issue" });
  for (const call of story.provider_calls) expect(call.document).toBe(story.document!.id);
});

test("prints the API's object for an id of the log with --json", async () => {
  const [request] = (await storyOf(ids.issued)).requests;
  const byOwnId = await show(request!.id, "--json");
  expect(byOwnId).toMatchObject({ exitCode: 0, stderr: "" });
  expect(byOwnId.json()).toEqual(request);
  expect((await show(request!.id)).stdout).toMatch(/^events\n/m);
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
  const { stdout } = await show(ids.issued);
  expect(stdout).toContainAll(
    /^request +POST \/api\/v1\/documents$/m,
    /^status +201$/m,
    /^idempotency key +key-A-1$/m,
    /^request\n {2}POST \/api\/v1\/documents\n {2}\S+: /m,
    /\n {6}"external_reference": "A-1"/,
    /^response\n {2}201\n/m,
    /^document\n[\s\S]*^provider calls\n[\s\S]*^events\n/m,
    /document\.created\treq_/,
  );
  expect(stdout).not.toMatch(/fiscal_test_/);
});

test("shows no document for a request without one", async () => {
  const requests = [{ status: 400, request: { body: null } }];
  const nothing = { document: null, provider_calls: [], events: [] };
  expect(await storyOf(ids.wrong)).toMatchObject({ requests, ...nothing });
  expect((await show(ids.wrong)).stdout).not.toContain("events");
});

test("shows every request with an x-request-id, and names the omitted documents", async () => {
  const run = await show("client:order-4711", "--json");
  const { requests, document } = run.json<Story>();
  expect(requests.map(({ idempotency_key: key }) => key)).toEqual(["key-B-1", "key-B-2"]);
  expect(document!.id).toBe(requests[0]!.document);
  expect(run.stderr).toContain(requests[1]!.document!);
});

test("exits with 3 for a request of the other mode", async () => {
  expect(await show(ids.listing, "--live")).toMatchObject({ exitCode: 3, stdout: "" });
});

test.each(["requests", "calls", "events"])(
  "%s tail prints each item of the list once, oldest first",
  async (noun) => {
    const listed = await workshop.list<{ id: string }>(`${noun} list --all`);
    let left = listed.length;
    const run = await workshop.run(`${noun} tail --from-start --json`, {
      onOutput: (text, program) => void (text.startsWith("{") && (left -= 1) === 0 && program.interrupt()),
    });
    expect(run.exitCode).toBe(130);
    const lines = run.stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(listed.toReversed());
  },
);
