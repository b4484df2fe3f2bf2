/** `fiscal connections`: the verbs and their flags; connections-run.ts does what they say. */
import type { Command } from "commander";
import { CONNECTABLE_PROVIDERS } from "../../src/providers/built-in.ts";
import {
  type AddOptions,
  type ConnectionListOptions,
  type LinkOptions,
  runAdd,
  runDisconnect,
  runLink,
  runList,
  runShow,
  runVerify,
} from "./run.ts";
import type { CommandContext } from "../context.ts";
import { withListOptions } from "../lists.ts";
import { choice, keyValue, withExample } from "../options.ts";

const ADD_NOTES = `
registry_direct takes --user-id and --subscription-key, provider_a --api-key and --email or --provider-user-id.
Each is also read from the environment: FISCAL_CREDENTIAL_USER_ID and so on. What is missing is asked for on a terminal;
a secret belongs there, in a file or in the environment: as a flag it stays in the shell's history.
Exit: 4 when the provider refused the credentials (the connection is kept as invalid), 5 when it gave no answer.`;

export function defineConnections(noun: Command, context: CommandContext): void {
  withExample(
    noun,
    "fiscal connections add --merchant shop --provider registry_direct  # asks for the credentials",
    "fiscal connections list --merchant shop",
  );
  defineAdding(noun, context);
  defineReading(noun, context);
  defineChanging(noun, context);
}

function defineAdding(noun: Command, context: CommandContext): void {
  const add = noun
    .command("add")
    .description("connect a merchant to a provider, once the provider has seen the credentials")
    .option("--merchant <merchant>", "id or external id")
    .option(
      "--provider <provider>",
      CONNECTABLE_PROVIDERS.join(", "),
      choice("--provider", CONNECTABLE_PROVIDERS),
    );
  withExample(
    withCredentialFlags(add)
      .option("--idempotency-key <key>", "a repetition under the same key answers what the first one made")
      .addHelpText("after", ADD_NOTES)
      .action((options: AddOptions) => context.end(runAdd(context, options))),
    "fiscal connections add --merchant shop --provider registry_direct --user-id-file user.txt --subscription-key-file key.txt",
    "fiscal --live connections add --merchant shop --provider provider_a --email me@example.com --api-key-file key.txt",
  );
  withExample(
    noun
      .command("link")
      .description("print a link at which the merchant enters the credentials; it is shown this once")
      .option("--merchant <merchant>", "id or external id")
      .option(
        "--provider <provider>",
        "for this provider only; otherwise the merchant chooses",
        choice("--provider", CONNECTABLE_PROVIDERS),
      )
      .option("--return-url <url>", "where the page leads once the merchant is connected")
      .action((options: LinkOptions) => context.end(runLink(context, options))),
    "fiscal connections link --merchant shop --provider registry_direct --return-url https://example.com/connected",
  );
}

function withCredentialFlags(command: Command): Command {
  return command
    .option("--user-id <text>", "the registry's REST user name (a secret)")
    .option("--user-id-file <file>", "a file that holds it; - is standard input")
    .option("--subscription-key <text>", "the registry's subscription key (a secret)")
    .option("--subscription-key-file <file>", "a file that holds it; - is standard input")
    .option("--api-key <text>", "the provider's API key (a secret)")
    .option("--api-key-file <file>", "a file that holds it; - is standard input")
    .option("--email <address>", "of the login at the provider")
    .option("--provider-user-id <id>", "the user id at the provider, instead of --email")
    .option(
      "--credential <name=value>",
      "any credential by its name, for other providers; may be repeated",
      keyValue("--credential"),
    )
    .option(
      "--credential-file <name=file>",
      "the same from a file; may be repeated",
      keyValue("--credential-file"),
    );
}

function defineReading(noun: Command, context: CommandContext): void {
  withExample(
    withListOptions(noun.command("list").description("connections of the mode, newest first"))
      .option("--merchant <merchant>", "of this merchant: id or external id")
      .action((options: ConnectionListOptions) => context.end(runList(context, options))),
    "fiscal connections list --merchant shop",
  );
  withExample(
    noun
      .command("show <connection>")
      .description("one connection, without its credentials")
      .action((id: string) => context.end(runShow(context, id))),
    "fiscal connections show con_… --json",
  );
}

function defineChanging(noun: Command, context: CommandContext): void {
  withExample(
    noun
      .command("verify <connection>")
      .description("ask the provider again whether it takes the credentials; what waited for it goes on")
      .action((id: string) => context.end(runVerify(context, id))),
    "fiscal connections verify con_…",
  );
  withExample(
    noun
      .command("disconnect <connection>")
      .description("use it no more; its credentials are deleted 30 days later")
      .option("--yes", "do not ask")
      .action((id: string, options: { yes?: boolean }) =>
        context.end(runDisconnect(context, id, options.yes)),
      ),
    "fiscal connections disconnect con_… --yes",
  );
}
