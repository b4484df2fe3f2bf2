/** `fiscal webhooks`: the verbs and their flags; webhooks-run.ts, -listen.ts and -verify.ts do what they say. */
import type { Command } from "commander";
import { DELIVERY_STATUSES } from "../../storage/schema.ts";
import { EVENT_TYPES } from "../../storage/stored-values.ts";
import type { CommandContext } from "../context.ts";
import { withListOptions, type ListOptions } from "../lists.ts";
import { choice, choices, instant, integer, withExample } from "../options.ts";
import { type ListenFlags, runListen } from "./listen.ts";
import {
  type AddOptions,
  type DeliveriesOptions,
  type ReplayOptions,
  runAdd,
  runDeliveries,
  runList,
  runRemove,
  runReplay,
  runRotateSecret,
  runShow,
  runUpdate,
  type UpdateOptions,
} from "./run.ts";
import { runVerify, type VerifyOptions } from "./verify.ts";

/** decisions 10. */
const OVERLAP_SECONDS_MAX = 604_800;

const ALL_TYPES = "*";
const STATUSES = ["enabled", "disabled"] as const;

export function defineWebhooks(noun: Command, context: CommandContext): void {
  withExample(
    noun,
    "fiscal webhooks listen --forward-to http://localhost:3000/webhooks  # runs until Ctrl-C",
    "fiscal webhooks add --url https://example.com/webhooks --events document.issued document.rejected",
  );
  defineEndpoints(noun, context);
  defineSecrets(noun, context);
  defineDeliveries(noun, context);
  defineDevelopment(noun, context);
}

function withEventTypes(command: Command): Command {
  const types = `event types, or '${ALL_TYPES}' for all; several with spaces or commas between`;
  return command.option("--events <types...>", types, choices("--events", [ALL_TYPES, ...EVENT_TYPES]));
}

function defineEndpoints(noun: Command, context: CommandContext): void {
  withExample(
    withEventTypes(
      noun
        .command("add")
        .description("have events posted to a URL; prints the signing secret, this once")
        .option("--url <url>", "where they are posted; in live mode https"),
    )
      .option("--description <text>", "what the endpoint is for")
      .option("--idempotency-key <key>", "a repetition under the same key answers what the first one made")
      .action((options: AddOptions) => context.end(runAdd(context, options))),
    "fiscal webhooks add --url https://example.com/webhooks --events '*' --description \"web shop\"",
  );
  withExample(
    withListOptions(noun.command("list").description("endpoints of the mode, newest first")).action(
      (options: ListOptions) => context.end(runList(context, options)),
    ),
    "fiscal webhooks list",
  );
  withExample(
    noun
      .command("show <endpoint>")
      .description("one endpoint, without its secret")
      .action((id: string) => context.end(runShow(context, id))),
    "fiscal webhooks show we_… --json",
  );
  withExample(
    withEventTypes(
      noun
        .command("update <endpoint>")
        .description("change an endpoint; `--status enabled` takes a disabled one up again")
        .option("--url <url>", "where events are posted"),
    )
      .option("--description <text>", "what the endpoint is for; empty removes it")
      .option("--status <status>", STATUSES.join(" or "), choice("--status", STATUSES))
      .action((id: string, options: UpdateOptions) => context.end(runUpdate(context, id, options))),
    "fiscal webhooks update we_… --status enabled",
  );
  withExample(
    noun
      .command("remove <endpoint>")
      .description("post nothing more to an endpoint, and forget it")
      .option("--yes", "do not ask")
      .action((id: string, options: { yes?: boolean }) => context.end(runRemove(context, id, options.yes))),
    "fiscal webhooks remove we_… --yes",
  );
}

function defineSecrets(noun: Command, context: CommandContext): void {
  withExample(
    noun
      .command("rotate-secret <endpoint>")
      .description("make a new signing secret and print it, this once")
      .option(
        "--overlap <seconds>",
        "how long the old one still signs beside it (default 86400, a day)",
        integer("--overlap", 0, OVERLAP_SECONDS_MAX),
      )
      .action((id: string, options: { overlap?: number }) =>
        context.end(runRotateSecret(context, id, options.overlap)),
      ),
    "fiscal webhooks rotate-secret we_… --overlap 3600",
  );
}

function defineDeliveries(noun: Command, context: CommandContext): void {
  withExample(
    withListOptions(
      noun
        .command("deliveries <endpoint>")
        .description("what was or is to be posted to an endpoint, newest first")
        .option("--status <status>", DELIVERY_STATUSES.join(", "), choice("--status", DELIVERY_STATUSES)),
    ).action((id: string, options: DeliveriesOptions) => context.end(runDeliveries(context, id, options))),
    "fiscal webhooks deliveries we_… --status failed",
  );
  withExample(
    noun
      .command("replay <endpoint>")
      .description("queue again what was held or has failed: all of it, that of a time, or single events")
      .option("--from <instant>", "events at or after", instant("--from"))
      .option("--to <instant>", "events at or before", instant("--to"))
      .option("--event <events...>", "these events, delivered or not; several with spaces between")
      .action((id: string, options: ReplayOptions) => context.end(runReplay(context, id, options))),
    "fiscal webhooks replay we_… --from 2026-11-01 --to 2026-11-03",
    "fiscal webhooks replay we_… --event evt_…",
  );
}

const LISTEN_NOTES = `
Each event is posted until the receiver answers 2xx, then the next one. A restart of either side goes on where it
stopped, unless --after, --from-start or --from-now says otherwise; --after also gets past an event that the receiver
does not take. Signed with a secret that is made once and printed at the start, or with the one in --secret-file.`;

const VERIFY_NOTES = `
Exit: 0 when the signature matches, 4 when it does not; then it says why.`;

function defineDevelopment(noun: Command, context: CommandContext): void {
  withExample(
    withEventTypes(
      noun
        .command("listen")
        .description(
          "post events to a receiver on this machine as they happen, without an endpoint or a server",
        )
        .option("--forward-to <url>", "the receiver"),
    )
      .option("--secret-file <file>", "a file that holds the signing secret")
      .option("--after <event>", "begin with the events after this one")
      .option("--from-start", "begin with the oldest event")
      .option("--from-now", "begin with what happens from now on")
      .addHelpText("after", LISTEN_NOTES)
      .action((options: ListenFlags) => context.end(runListen(context, options))),
    "fiscal webhooks listen --forward-to http://localhost:3000/webhooks --events document.issued  # runs until Ctrl-C",
  );
  withExample(
    noun
      .command("verify")
      .description("say whether a delivery's signature matches and, if not, why")
      .option("--secret-file <file>", "a file that holds the endpoint's secret")
      .option("--header <text>", "the value of the header service-signature, as it came")
      .option(
        "--body-file <file>",
        "a file that holds the body, byte for byte as it came; - is standard input",
      )
      .option("--at <instant>", "when it came (default: now)", instant("--at"))
      .addHelpText("after", VERIFY_NOTES)
      .action((options: VerifyOptions) => context.end(runVerify(context, options))),
    'fiscal webhooks verify --secret-file secret.txt --header "t=…,v1=…" --body-file body.json --at 2026-11-02T08:30:00Z',
  );
}
