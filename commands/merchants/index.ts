/** `fiscal merchants`: the verbs and their flags; merchants-run.ts does what they say. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { withListOptions } from "../lists.ts";
import {
  type AddOptions,
  type MerchantListOptions,
  runAdd,
  runArchive,
  runList,
  runSettings,
  runShow,
  runUnarchive,
  runUpdate,
  type UpdateOptions,
} from "./run.ts";
import { choice, integer, keyValue, withExample } from "../options.ts";

/** spec, Limits. */
const BRANCH_MAX = 9999;

export function defineMerchants(noun: Command, context: CommandContext): void {
  withExample(
    noun,
    'fiscal merchants add --external-id bakery --name "Παράδειγμα Α.Ε." --tax-id 123456783',
    "fiscal merchants show shop",
  );
  defineWriting(noun, context);
  defineReading(noun, context);
  defineArchiving(noun, context);
}

function withMerchantFlags(command: Command): Command {
  return command
    .option("--external-id <id>", "your own id of the merchant, unique ignoring case")
    .option("--name <name>", "the merchant's name")
    .option("--tax-id <number>", "Greek tax number (ΑΦΜ)")
    .option("--branch <number>", "branch; 0 is the head office", integer("--branch", 0, BRANCH_MAX));
}

function defineWriting(noun: Command, context: CommandContext): void {
  withExample(
    withMerchantFlags(noun.command("add").description("add a merchant"))
      .option("--metadata <key=value>", "a pair of your own; may be repeated", keyValue("--metadata"))
      .action((options: AddOptions) => context.end(runAdd(context, options))),
    'fiscal merchants add --external-id bakery --name "Παράδειγμα Α.Ε." --tax-id 123456783',
  );
  withExample(
    withMerchantFlags(noun.command("update <merchant>").description("change what is given"))
      .option(
        "--metadata <key=value>",
        "set a pair; an empty value removes it; may be repeated",
        keyValue("--metadata"),
      )
      .action((name: string, options: UpdateOptions) => context.end(runUpdate(context, name, options))),
    "fiscal merchants update shop --branch 2",
  );
  withExample(
    noun
      .command("settings <merchant>")
      .description(
        "show the settings (classification, numbering, paper), or replace them whole from a JSON file",
      )
      .option("--file <file>", "the new settings; - reads standard input")
      .action((name: string, options: { file?: string }) =>
        context.end(runSettings(context, name, options.file)),
      ),
    "fiscal merchants settings shop --json > settings.json",
    "fiscal merchants settings shop --file settings.json",
  );
}

function defineReading(noun: Command, context: CommandContext): void {
  withExample(
    withListOptions(noun.command("list").description("merchants, newest first"))
      .option("--external-id <id>", "with this external id")
      .option("--tax-id <number>", "with this tax number")
      .option(
        "--archived <true|false>",
        "archived ones, or the others",
        choice("--archived", ["true", "false"]),
      )
      .action((options: MerchantListOptions) => context.end(runList(context, options))),
    "fiscal merchants list --archived false --all",
  );
  withExample(
    noun
      .command("show <merchant>")
      .description("one merchant")
      .action((name: string) => context.end(runShow(context, name))),
    "fiscal merchants show shop --json",
  );
}

function defineArchiving(noun: Command, context: CommandContext): void {
  withExample(
    noun
      .command("archive <merchant>")
      .description("issue nothing new for this merchant")
      .option("--yes", "do not ask")
      .action((name: string, options: { yes?: boolean }) =>
        context.end(runArchive(context, name, options.yes)),
      ),
    "fiscal merchants archive shop --yes",
  );
  withExample(
    noun
      .command("unarchive <merchant>")
      .description("issue for this merchant again")
      .action((name: string) => context.end(runUnarchive(context, name))),
    "fiscal merchants unarchive shop",
  );
}
