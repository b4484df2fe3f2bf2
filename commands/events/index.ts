/** `fiscal events`: what happened, afterwards (`list`, `show`), as it happens (`tail`), or told once more (`resend`). */
import type { Command } from "commander";
import type { Context } from "../../src/journal/context.ts";
import type { EventObject } from "../../src/journal/event-object.ts";
import { EVENT_TYPES, type EventType, type Mode } from "../../storage/stored-values.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { listenForInterrupt, say, tell, write } from "../io.ts";
import { type ListOptions, runList as runPagedList, withListOptions } from "../lists.ts";
import { merchantIdOf } from "../merchants/find-merchant.ts";
import { choices, documentId, instant, withExample } from "../options.ts";
import { printJson, printJsonLine } from "../ui/json.ts";
import { printableLines } from "../ui/printable.ts";
import { type Column, printFields } from "../ui/table.ts";

interface Filters {
  type?: EventType[];
  document?: string;
  merchant?: string;
}

interface EventListOptions extends ListOptions, Filters {
  createdFrom?: string;
  createdTo?: string;
}

interface TailOptions extends Filters {
  after?: string;
  fromStart?: boolean;
}

interface ResendOptions {
  endpoint?: string;
}

/** A person waits for the next line: often enough to feel immediate, seldom enough to cost nothing. */
const TAIL_INTERVAL_MS = 500;

export function defineEvents(noun: Command, context: CommandContext): void {
  withExample(noun, "fiscal events tail  # runs until Ctrl-C", "fiscal events list --type document.rejected");
  withExample(
    withFilters(noun.command("tail").description("print events as they happen, until interrupted"))
      .option("--after <id>", "begin with the events after this one")
      .option("--from-start", "begin with the oldest event")
      .action((options: TailOptions) => context.end(runTail(context, options))),
    "fiscal events tail --type document.issued --json  # runs until Ctrl-C",
  );
  withExample(
    withListOptions(withFilters(noun.command("list").description("events, newest first")))
      .option("--created-from <instant>", "happened at or after", instant("--created-from"))
      .option("--created-to <instant>", "happened at or before", instant("--created-to"))
      .action((options: EventListOptions) => context.end(runList(context, options))),
    "fiscal events list --type document.rejected --created-from 2026-11-01",
  );
  withExample(
    noun
      .command("show <event>")
      .description("one event with its snapshot")
      .action((id: string) => context.end(runShow(context, id))),
    "fiscal events show evt_… --json",
  );
  withExample(
    noun
      .command("resend <event>")
      .description("post an event again to the endpoints that ask for its type, and to `webhooks listen`")
      .option("--endpoint <endpoint>", "to this endpoint only")
      .action((id: string, options: ResendOptions) => context.end(runResend(context, id, options))),
    "fiscal events resend evt_… --endpoint we_…",
  );
}

function withFilters(command: Command): Command {
  return command
    .option("--type <type>", "of this type; may be repeated", choices("--type", EVENT_TYPES))
    .option("--document <id>", "about this document", documentId("--document"))
    .option("--merchant <merchant>", "about this merchant and what is its own: id or external id");
}

const COLUMNS: readonly Column<EventObject>[] = [
  { head: "created", value: (event) => event.created },
  { head: "type", value: (event) => event.type },
  { head: "about", value: (event) => event.data.object.id },
  { head: "id", value: (event) => event.id },
];

async function runList(context: CommandContext, options: EventListOptions): Promise<void> {
  const { listEvents } = await import("../../src/journal/list-events.ts");
  await context.withAppliance(async (appliance, mode) => {
    const filters = {
      type: options.type,
      document: options.document,
      merchant: await merchantIdOf(appliance, options.merchant),
      "created[gte]": options.createdFrom,
      "created[lte]": options.createdTo,
    };
    await runPagedList(context, options, {
      plural: "events",
      columns: COLUMNS,
      fetch: (page) => listEvents(appliance, mode, { ...filters, ...page }),
    });
  });
}

async function runShow(context: CommandContext, id: string): Promise<void> {
  const { io } = context;
  const { getEvent } = await import("../../src/journal/list-events.ts");
  const event = await context.withAppliance((appliance, mode) => getEvent(appliance, mode, id));
  if (context.options.json === true) return printJson(io.stdout, event);
  await printFields(io, [
    ["id", event.id],
    ["type", event.type],
    ["created", event.created],
    ["mode", event.livemode ? "live" : "test"],
    ["caused by request", event.request?.id ?? null],
    ["about", event.data.object.id],
  ]);
  await write(io.stdout, `${printableLines(JSON.stringify(event.data, null, 2))}\n`);
}

/** The event to begin after: without a flag the newest there is, so that only what happens from now on is shown. */
async function startOf(appliance: Context, mode: Mode, options: TailOptions): Promise<string | undefined> {
  if (options.after !== undefined || options.fromStart === true) return options.after;
  const { listEvents } = await import("../../src/journal/list-events.ts");
  const { data } = await listEvents(appliance, mode, { limit: 1 });
  return data[0]?.id;
}

/** The normal end of a tail is the interrupt, so it ends with 130. */
async function runTail(context: CommandContext, options: TailOptions): Promise<ExitCode> {
  const { io } = context;
  if (options.after !== undefined && options.fromStart === true) {
    throw new UsageError("--after and --from-start contradict each other");
  }
  const { followEvents } = await import("../../src/journal/list-events.ts");
  const interrupt = listenForInterrupt(io);
  try {
    await context.withAppliance(async (appliance, mode) => {
      const merchant = await merchantIdOf(appliance, options.merchant);
      const after = await startOf(appliance, mode, options);
      await tell(io, "Following the events; Ctrl-C ends it.");
      const events = followEvents(appliance, mode, {
        after,
        type: options.type,
        document: options.document,
        merchant,
        signal: interrupt.signal,
        intervalMs: TAIL_INTERVAL_MS,
      });
      for await (const event of events) {
        if (context.options.json === true) await printJsonLine(io.stdout, event);
        else await write(io.stdout, `${event.created}  ${event.type.padEnd(24)}  ${event.data.object.id}\n`);
      }
    });
  } finally {
    interrupt.dispose();
  }
  return EXIT.interrupted;
}

async function runResend(context: CommandContext, id: string, { endpoint }: ResendOptions): Promise<void> {
  const { io } = context;
  const { resendEvent } = await import("../../src/webhooks/resend.ts");
  const body = endpoint === undefined ? {} : { webhook_endpoint: endpoint };
  const event = await context.withAppliance((appliance, mode) =>
    resendEvent(appliance, id, body, causeOf(mode)),
  );
  if (context.options.json === true) await printJson(io.stdout, event);
  else await say(io, `${event.id} ${event.type} queued again`);
  await tell(io, "Endpoints get it while `fiscal serve` runs, `fiscal webhooks listen` without.");
}
