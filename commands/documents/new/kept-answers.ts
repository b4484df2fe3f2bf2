/** Offers the answers of a document that was not issued for the next one, and asks which of them to change. */
import { Command, CommanderError } from "commander";
import { findUnissued, forgetUnissued } from "../../../src/documents/new-document.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { instantText } from "../../../src/operations/view.ts";
import type { CommandContext } from "../../context.ts";
import { addFlags } from "../../define.ts";
import { UsageError } from "../../exit.ts";
import { optionOf } from "../../flags.ts";
import { type ProgramIo, printNote } from "../../io.ts";
import { askWhich } from "../../ui/prompt.ts";
import { quoted } from "../../next-steps.ts";
import { NEW_FLAGS, type NewOptions } from "./flags.ts";

const PARTS = {
  type: { en: "the type", el: "τον τύπο" },
  customer: { en: "the customer", el: "τον πελάτη" },
  lines: { en: "the lines", el: "τις γραμμές" },
  payment: { en: "the payment", el: "την πληρωμή" },
  nothing: { en: "nothing more", el: "τίποτε άλλο" },
} as const satisfies Record<string, Text>;
export type Part = keyof typeof PARTS;

export async function askChanges(io: ProgramIo): Promise<ReadonlySet<Part>> {
  const asked = new Set<Part>();
  const choices = (Object.keys(PARTS) as Part[]).map((value) => ({ value, name: PARTS[value] }));
  for (;;) {
    const part = await askWhich(
      io,
      choices.filter(({ value }) => !asked.has(value)),
      { flag: "--line", message: { en: "Change", el: "Να αλλάξετε" }, initial: "nothing" },
    );
    if (part === "nothing") return asked;
    asked.add(part);
  }
}

/** Everything but how it is issued and shown, as commander names the values. */
export const CHANGES: ReadonlySet<string> = new Set(
  Object.keys(NEW_FLAGS)
    .map((flag) => optionOf(flag.slice("--".length)))
    .filter((option) => option !== "merchant" && option !== "preview"),
);

const isOf = (part: Part, option: string) =>
  option.startsWith(part) || (part === "lines" && (option === "line" || option === "gross"));

/** The answers that a person goes on with; undefined without any, or with flags for another document. */
export async function takeKept(
  context: CommandContext,
  options: NewOptions,
): Promise<NewOptions | undefined> {
  const { io } = context;
  const config = await context.configuration();
  const kept = findUnissued({ config });
  if (kept === undefined || kept.mode !== (await context.mode())) return undefined;
  if ((options.merchant ?? kept.merchant) !== kept.merchant) return undefined;
  if (Object.keys(options).some((option) => CHANGES.has(option))) return undefined;
  const read = readArgs(context, kept.args);
  if (read === undefined || !(await isTaken(io, kept.at, kept.args))) {
    forgetUnissued({ config });
    return undefined;
  }
  const changed = await askChanges(io);
  const stays = ([option]: [string, unknown]) => ![...changed].some((part) => isOf(part, option));
  return Object.fromEntries(Object.entries(read).filter(stays)) as unknown as NewOptions;
}

/** Undefined if this version does not accept them. */
function readArgs(context: CommandContext, args: readonly string[]): NewOptions | undefined {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  addFlags(command, context, NEW_FLAGS);
  try {
    return command.parse(args, { from: "user" }).opts<NewOptions>();
  } catch (error) {
    if (error instanceof UsageError || error instanceof CommanderError) return undefined;
    throw error;
  }
}

async function isTaken(io: ProgramIo, at: string, args: readonly string[]): Promise<boolean> {
  const [when, line] = [instantText(at), args.map((word) => quoted(word)).join(" ")];
  await printNote(io, {
    en: `This document of ${when.en} was not issued: ${line}`,
    el: `Αυτό το παραστατικό της ${when.el} δεν εκδόθηκε: ${line}`,
  });
  const choices = [
    { value: "continue", name: { en: "go on with it", el: "συνέχεια με αυτό" } },
    { value: "anew", name: { en: "begin a new one, and forget it", el: "νέο από την αρχή, χωρίς αυτό" } },
  ] as const;
  return (
    (await askWhich(io, choices, {
      flag: "--merchant",
      message: { en: "What next", el: "Τι θέλετε" },
      initial: "continue",
    })) === "continue"
  );
}
