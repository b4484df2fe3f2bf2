/** `fiscal requests show`: one request from what was asked to what became of the document that it answered with. */
import type { Context } from "../../src/journal/context.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { AppError } from "../../src/foundation/errors.ts";
import type { EventObject } from "../../src/journal/event-object.ts";
import type { ApiRequestDetail, ProviderCallObject } from "../../src/logs/log-objects.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { CALL_COLUMNS } from "../calls/call-view.ts";
import type { CommandContext } from "../context.ts";
import { DOCUMENT_COLUMNS } from "../documents/document-view.ts";
import { mannersOf, type ProgramIo, say, tell, write } from "../io.ts";
import { formatExchange } from "../ui/log-view.ts";
import { printJson } from "../ui/json.ts";
import { type Column, printFields, printTable } from "../ui/table.ts";

/** Everything oldest first: as it happened. */
interface Story {
  requests: ApiRequestDetail[];
  document: DocumentObject | null;
  provider_calls: ProviderCallObject[];
  events: EventObject[];
}

/** A caller's own x-request-id may stand over any number of requests, and a document may be asked about for weeks. */
const REQUESTS_MAX = 20;
const ENTRIES_MAX = 100;

const LOGGED_REQUEST_ID = /^rql_[0-9A-Za-z]{22}$/;

export async function runShow(context: CommandContext, name: string): Promise<void> {
  const { io } = context;
  const { story, left } = await context.withAppliance((appliance, mode) => tellStory(appliance, mode, name));
  if (context.options.json === true) await printJson(io.stdout, story);
  else await printStory(io, story);
  for (const line of left) await tell(io, line);
}

/** `left` says what is not shown, a sentence each. */
async function tellStory(
  appliance: Context,
  mode: Mode,
  name: string,
): Promise<{ story: Story; left: string[] }> {
  const left: string[] = [];
  const requests = await requestsNamed(appliance, mode, name, left);
  const [documentId, ...others] = new Set(requests.flatMap(({ document }) => document ?? []));
  if (others.length > 0)
    left.push(
      `The requests answered with further documents: ${others.join(", ")}; \`fiscal documents show\` shows them.`,
    );
  if (documentId === undefined)
    return { story: { requests, document: null, provider_calls: [], events: [] }, left };
  const { getDocument } = await import("../../src/documents/list-documents.ts");
  const { listProviderCalls } = await import("../../src/logs/list-calls.ts");
  const { listEvents } = await import("../../src/journal/list-events.ts");
  const query = { document: documentId, limit: ENTRIES_MAX };
  const document = await getDocument(appliance, mode, documentId);
  const calls = await listProviderCalls(appliance, mode, query);
  const events = await listEvents(appliance, mode, query);
  if (calls.has_more)
    left.push(`Earlier provider calls are left out: fiscal calls list --document ${documentId} --all`);
  if (events.has_more)
    left.push(`Earlier events are left out: fiscal events list --document ${documentId} --all`);
  const story = {
    requests,
    document,
    provider_calls: calls.data.toReversed(),
    events: events.data.toReversed(),
  };
  return { story, left };
}

/** By the id of the log, or all with one x-request-id: a tool call logs two requests under one. Throws `not_found`. */
async function requestsNamed(
  appliance: Context,
  mode: Mode,
  name: string,
  left: string[],
): Promise<ApiRequestDetail[]> {
  const { getRequest, listRequests } = await import("../../src/logs/list-requests.ts");
  if (LOGGED_REQUEST_ID.test(name)) return [await getRequest(appliance, mode, name)];
  const page = await listRequests(appliance, mode, { request_id: name, limit: REQUESTS_MAX });
  if (page.data.length === 0)
    throw new AppError("not_found", "There is no request with this id or x-request-id in this mode");
  if (page.has_more)
    left.push(
      "Earlier requests with this x-request-id are left out: `fiscal requests list --request-id` lists them.",
    );
  const details: ApiRequestDetail[] = [];
  for (const { id } of page.data.toReversed()) details.push(await getRequest(appliance, mode, id));
  return details;
}

/** All are about the one document. */
const EVENT_COLUMNS: readonly Column<EventObject>[] = [
  { head: "created", value: (event) => event.created },
  { head: "type", value: (event) => event.type },
  { head: "caused by request", value: (event) => event.request?.id ?? "-" },
  { head: "id", value: (event) => event.id },
];

async function printStory(io: ProgramIo, story: Story): Promise<void> {
  for (const request of story.requests) await printRequest(io, request);
  if (story.document === null) return;
  await printPart(io, "document", DOCUMENT_COLUMNS, [story.document]);
  await printPart(io, "provider calls", CALL_COLUMNS, story.provider_calls);
  await printPart(io, "events", EVENT_COLUMNS, story.events);
}

async function printRequest(io: ProgramIo, request: ApiRequestDetail): Promise<void> {
  await printFields(io, [
    ["id", request.id],
    ["x-request-id", request.request_id],
    ["request", `${request.method} ${request.path}`],
    ["operation", request.operation_id],
    ["status", request.status],
    ["duration", `${request.duration_ms} ms`],
    ["idempotency key", request.idempotency_key],
    ["source", `${request.source} (${request.livemode ? "live" : "test"})`],
    ["merchant", request.merchant],
    ["document", request.document],
    ["created", request.created],
  ]);
  await write(io.stdout, `${formatExchange(request, mannersOf(io).language)}\n`);
}

async function printPart<T>(
  io: ProgramIo,
  title: string,
  columns: readonly Column<T>[],
  items: readonly T[],
): Promise<void> {
  if (items.length === 0) return say(io, `no ${title}`);
  await say(io, title);
  await printTable(io, columns, items);
}
