/** `fiscal requests`: the log of API requests; requests-story.ts tells the whole of one. */
import type { Command } from "commander";
import type { ApiRequestObject } from "../../src/logs/log-objects.ts";
import type { CommandContext } from "../context.ts";
import type { ExitCode } from "../exit.ts";
import { type ListOptions, runList as runPagedList, withListOptions } from "../lists.ts";
import { REQUEST_ID_FORM } from "../../src/foundation/request-id.ts";
import { documentId, formed, instant, integer, withExample } from "../options.ts";
import { runShow } from "./story.ts";
import { runTail as runLogTail, type TailOptions, withTailOptions } from "../tails.ts";
import type { Column } from "../ui/table.ts";

interface Filters {
  status?: number;
  operation?: string;
  document?: string;
  requestId?: string;
}

interface RequestListOptions extends ListOptions, Filters {
  createdFrom?: string;
  createdTo?: string;
}

const STATUS_MIN = 100;
const STATUS_MAX = 599;

export function defineRequests(noun: Command, context: CommandContext): void {
  withExample(noun, "fiscal requests list --status 400", "fiscal requests show req_…");
  withExample(
    withTailOptions(
      withFilters(noun.command("tail").description("print requests as they are answered, until interrupted")),
      "requests",
    ).action((options: TailOptions & Filters) => context.end(runTail(context, options))),
    "fiscal requests tail --operation issueDocument --json  # runs until Ctrl-C",
  );
  withExample(
    withListOptions(withFilters(noun.command("list").description("API requests, newest first")))
      .option("--created-from <instant>", "arrived at or after", instant("--created-from"))
      .option("--created-to <instant>", "arrived at or before", instant("--created-to"))
      .action((options: RequestListOptions) => context.end(runList(context, options))),
    "fiscal requests list --status 422 --created-from 2026-11-01",
  );
  withExample(
    noun
      .command("show <request>")
      .description(
        "what was asked and answered, and the document, provider calls and events behind it; by id or x-request-id",
      )
      .action((name: string) => context.end(runShow(context, name))),
    "fiscal requests show req_…",
    "fiscal requests show rql_… --json",
  );
}

function withFilters(command: Command): Command {
  return command
    .option("--status <code>", "answered with this HTTP status", integer("--status", STATUS_MIN, STATUS_MAX))
    .option(
      "--operation <id>",
      "of this operation, for example issueDocument",
      formed("--operation", /^[A-Za-z][A-Za-z0-9]{0,63}$/, "issueDocument"),
    )
    .option("--document <id>", "that answered with this document", documentId("--document"))
    .option(
      "--request-id <id>",
      "with this x-request-id",
      formed("--request-id", REQUEST_ID_FORM, "req_…, client:… or the one of a platform"),
    );
}

function queryOf(options: Filters) {
  return {
    status: options.status,
    operation_id: options.operation,
    document: options.document,
    request_id: options.requestId,
  };
}

const COLUMNS: readonly Column<ApiRequestObject>[] = [
  { head: "created", value: (request) => request.created },
  { head: "operation", value: (request) => request.operation_id ?? `${request.method} ${request.path}` },
  { head: "status", align: "right", value: (request) => String(request.status) },
  { head: "ms", align: "right", value: (request) => String(request.duration_ms) },
  { head: "document", value: (request) => request.document ?? "-" },
  { head: "id", value: (request) => request.id },
];

async function runList(context: CommandContext, options: RequestListOptions): Promise<void> {
  const { listRequests } = await import("../../src/logs/list-requests.ts");
  const filters = {
    ...queryOf(options),
    "created[gte]": options.createdFrom,
    "created[lte]": options.createdTo,
  };
  await context.withAppliance((appliance, mode) =>
    runPagedList(context, options, {
      plural: "requests",
      columns: COLUMNS,
      fetch: (page) => listRequests(appliance, mode, { ...filters, ...page }),
    }),
  );
}

async function runTail(context: CommandContext, options: TailOptions & Filters): Promise<ExitCode> {
  const { followRequests, listRequests } = await import("../../src/logs/list-requests.ts");
  return runLogTail<ApiRequestObject>(context, options, {
    plural: "requests",
    newest: (appliance, mode) => listRequests(appliance, mode, { limit: 1 }),
    follow: (appliance, mode, from) => followRequests(appliance, mode, { ...queryOf(options), ...from }),
    line: (request) =>
      [
        request.created,
        String(request.status),
        `${request.duration_ms} ms`.padStart(7),
        `${request.method} ${request.path}`,
        request.document ?? "-",
        request.request_id,
      ].join("  "),
  });
}
