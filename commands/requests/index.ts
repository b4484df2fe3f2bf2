/** `fiscal requests`: the log of API requests, and everything that one request caused. */
import type { Trace } from "../../src/documents/trace-request.ts";
import { getRequest, listProviderCalls, listRequests, traceRequest } from "../../src/operations/logs.ts";
import { noun } from "../define.ts";
import { tailOf } from "../tails.ts";
import type { Given } from "../flags.ts";
import { verbOf } from "../verb.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { EventObject } from "../../src/journal/event-object.ts";
import type { ApiRequestDetail } from "../../src/logs/log-objects.ts";
import { outputSettingsOf, printLine, printNote, type ProgramIo, write } from "../io.ts";
import { printJson } from "../ui/json.ts";
import { formatExchange } from "../ui/log-view.ts";
import { type Column, instantText } from "../../src/operations/view.ts";
import { printFields, printTable } from "../ui/table.ts";

export const defineRequests = noun(
  {
    tail: tailOf(listRequests),
    list: verbOf(listRequests),
    show: verbOf(traceRequest, {
      print: showTrace,
    }),
  },
  "fiscal requests list --status 400",
  "fiscal requests show req_…",
);

/** With `--json`, the id of one logged request prints the API's object, as every other `show` does. */
export async function showTrace({ omissions, ...trace }: Trace, { context, params }: Given): Promise<void> {
  const { io, options } = context;
  const [first] = trace.requests;
  if (options.json === true && first?.id === params["id"]) return printJson(io, first);
  await (options.json === true ? printJson(io, trace) : printTrace(io, trace));
  for (const omission of omissions) await printNote(io, omission);
}

/** Without a column for the document, which all events share. */
const EVENT_COLUMNS: readonly Column<EventObject>[] = [
  { head: { en: "created", el: "δημιουργία" }, value: (event) => instantText(event.created) },
  { head: { en: "type", el: "τύπος" }, value: (event) => event.type },
  {
    head: { en: "caused by request", el: "από το αίτημα" },
    leaveOut: 1,
    value: (event) => event.request?.id ?? "-",
  },
  { head: "id", leaveOut: 2, value: (event) => event.id },
];

async function printTrace(io: ProgramIo, trace: Omit<Trace, "omissions">): Promise<void> {
  for (const request of trace.requests) await printRequest(io, request);
  if (trace.document === null) return;
  const { DOCUMENT_COLUMNS } = await import("../../src/operations/document-view.ts");
  await printLine(io, { en: "document", el: "παραστατικό" });
  await printTable(io, DOCUMENT_COLUMNS, [trace.document]);
  await printPart(io, trace.provider_calls, listProviderCalls.table!.columns, {
    title: { en: "provider calls", el: "κλήσεις προς τον πάροχο" },
    none: { en: "no provider calls", el: "καμία κλήση προς τον πάροχο" },
  });
  await printPart(io, trace.events, EVENT_COLUMNS, {
    title: { en: "events", el: "συμβάντα" },
    none: { en: "no events", el: "κανένα συμβάν" },
  });
}

async function printRequest(io: ProgramIo, request: ApiRequestDetail): Promise<void> {
  await printFields(io, getRequest.rows?.(request) ?? []);
  await write(io.stdout, `${formatExchange(request, outputSettingsOf(io).language)}\n`);
}

async function printPart<T>(
  io: ProgramIo,
  items: readonly T[],
  columns: readonly Column<T>[],
  { title, none }: { title: Text; none: Text },
): Promise<void> {
  if (items.length === 0) return printLine(io, none);
  await printLine(io, title);
  await printTable(io, columns, items);
}
