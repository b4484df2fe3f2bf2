/** `fiscal calls`: the log of requests to providers and their responses. */
import type { Command } from "commander";
import { getProviderCall, listProviderCalls } from "../../src/operations/calls.ts";
import type { CommandContext } from "../context.ts";
import { outputSettingsOf, write } from "../io.ts";
import { addCommands } from "../lazy-commands.ts";
import { addExamples, UNTIL_INTERRUPTED } from "../options.ts";
import { tailOf } from "../tails.ts";
import { formatExchange } from "../ui/log-view.ts";
import { verbOf } from "../verb.ts";

const VERBS = [
  tailOf(listProviderCalls),
  verbOf("list", listProviderCalls),
  verbOf("show", getProviderCall, {
    after: ({ io }, call) => write(io.stdout, formatExchange(call, outputSettingsOf(io).language)),
  }),
];

export function defineCalls(noun: Command, context: CommandContext): void {
  addCommands(noun, context, VERBS);
  addExamples(noun, context, "fiscal calls list --document doc_…", {
    line: "fiscal calls tail",
    note: UNTIL_INTERRUPTED,
  });
}
