/** `fiscal calls`: what was sent to providers and what they answered. */
import type { Command } from "commander";
import type { ProviderCallObject } from "../../src/logs/log-objects.ts";
import type { CommandContext } from "../context.ts";
import type { ExitCode } from "../exit.ts";
import { mannersOf, write } from "../io.ts";
import { type ListOptions, runList as runPagedList, withListOptions } from "../lists.ts";
import { formatExchange } from "../ui/log-view.ts";
import { documentId, instant, withExample } from "../options.ts";
import { runTail as runLogTail, type TailOptions, withTailOptions } from "../tails.ts";
import { printJson } from "../ui/json.ts";
import { type Column, printFields } from "../ui/table.ts";

interface Filters {
  document?: string;
}

interface CallListOptions extends ListOptions, Filters {
  createdFrom?: string;
  createdTo?: string;
}

export function defineCalls(noun: Command, context: CommandContext): void {
  withExample(noun, "fiscal calls list --document doc_…", "fiscal calls tail  # goes on until Ctrl-C");
  withExample(
    withTailOptions(
      withFilters(noun.command("tail").description("print calls as they are begun, until interrupted")),
      "calls",
    ).action((options: TailOptions & Filters) => context.end(runTail(context, options))),
    "fiscal calls tail --json  # goes on until Ctrl-C",
  );
  withExample(
    withListOptions(withFilters(noun.command("list").description("provider calls, newest first")))
      .option("--created-from <instant>", "begun at or after", instant("--created-from"))
      .option("--created-to <instant>", "begun at or before", instant("--created-to"))
      .action((options: CallListOptions) => context.end(runList(context, options))),
    "fiscal calls list --created-from 2026-11-01 --all",
  );
  withExample(
    noun
      .command("show <call>")
      .description("one call with what was sent and what came back, without credentials")
      .action((id: string) => context.end(runShow(context, id))),
    "fiscal calls show pcl_… --json",
  );
}

function withFilters(command: Command): Command {
  return command.option("--document <id>", "about this document", documentId("--document"));
}

/** `200`, or `-` where no answer came back. */
function formatStatus(call: ProviderCallObject): string {
  return call.http_status === null ? "-" : String(call.http_status);
}

/** `issue`, or `issue (auth)` for a login that was made for it. */
function formatOperation(call: ProviderCallObject): string {
  return call.purpose === "auth" ? `${call.operation} (auth)` : call.operation;
}

export const CALL_COLUMNS: readonly Column<ProviderCallObject>[] = [
  { head: "started", value: (call) => call.started_at },
  { head: "provider", value: (call) => call.provider },
  { head: "operation", value: formatOperation },
  { head: "outcome", value: (call) => call.outcome },
  { head: "status", align: "right", value: formatStatus },
  { head: "ms", align: "right", value: (call) => String(call.duration_ms) },
  { head: "document", value: (call) => call.document ?? "-" },
  { head: "id", value: (call) => call.id },
];

async function runList(context: CommandContext, options: CallListOptions): Promise<void> {
  const { listProviderCalls } = await import("../../src/logs/list-calls.ts");
  const filters = {
    document: options.document,
    "created[gte]": options.createdFrom,
    "created[lte]": options.createdTo,
  };
  await context.withAppliance((appliance, mode) =>
    runPagedList(context, options, {
      plural: "provider calls",
      columns: CALL_COLUMNS,
      fetch: (page) => listProviderCalls(appliance, mode, { ...filters, ...page }),
    }),
  );
}

async function runTail(context: CommandContext, options: TailOptions & Filters): Promise<ExitCode> {
  const { followProviderCalls, listProviderCalls } = await import("../../src/logs/list-calls.ts");
  return runLogTail<ProviderCallObject>(context, options, {
    plural: "provider calls",
    newest: (appliance, mode) => listProviderCalls(appliance, mode, { limit: 1 }),
    follow: (appliance, mode, from) =>
      followProviderCalls(appliance, mode, { ...from, document: options.document }),
    line: (call) =>
      [
        call.started_at,
        call.provider.padEnd(15),
        formatOperation(call).padEnd(13),
        call.outcome.padEnd(9),
        formatStatus(call).padStart(3),
        `${call.duration_ms} ms`,
        call.document ?? "-",
        call.id,
      ].join("  "),
  });
}

async function runShow(context: CommandContext, id: string): Promise<void> {
  const { io } = context;
  const { getProviderCall } = await import("../../src/logs/list-calls.ts");
  const call = await context.withAppliance((appliance, mode) => getProviderCall(appliance, mode, id));
  if (context.options.json === true) return printJson(io.stdout, call);
  const { error } = call;
  const trouble: [string, string | null][] =
    error === null
      ? []
      : [
          ["error", `${error.code}: ${error.message}`],
          ["provider code", error.provider_code],
          ["provider message", error.provider_message],
        ];
  await printFields(io, [
    ["id", call.id],
    ["provider", `${call.provider} (${call.livemode ? "live" : "test"})`],
    ["operation", formatOperation(call)],
    ["outcome", call.outcome],
    ["status", call.http_status],
    ["duration", `${call.duration_ms} ms`],
    ["started", call.started_at],
    ["settled", call.settled_at],
    ["url", call.url],
    ["merchant", call.merchant],
    ["document", call.document],
    ["connection", call.connection],
    ...trouble,
  ]);
  await write(io.stdout, formatExchange(call, mannersOf(io).language));
}
