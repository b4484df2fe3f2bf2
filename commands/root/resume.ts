/** `fiscal resume`: a restored appliance goes back to work. */
import type { Command } from "commander";
import type { Resumption } from "../../src/upkeep/resume.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { say, tell } from "../io.ts";
import { withExample } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { confirmed } from "../ui/prompt.ts";
import { type Column, printTable } from "../ui/table.ts";

const NOTES = `
Only when the appliance that the backup was taken of is off for good: two that send the same documents file them twice.
Documents without an outcome are asked about at their provider before anything of them is sent, and so are the first new
documents of each series. docs/backup.md says what to look at before.`;

export function defineResume(command: Command, context: CommandContext): void {
  withExample(
    command
      .option("--yes", "do not ask")
      .addHelpText("after", NOTES)
      .action((options: { yes?: boolean }) => context.end(runResume(context, options.yes))),
    "fiscal resume",
    "fiscal resume --yes --json",
  );
}

async function runResume(context: CommandContext, yes: boolean | undefined): Promise<ExitCode> {
  const { io } = context;
  const { describeResumption, resume } = await import("../../src/upkeep/resume.ts");
  return context.withAppliance(async (appliance) => {
    const before = await describeResumption(appliance);
    if (before.held) await show(context, before, appliance.clock.nowMs());
    if (
      before.held &&
      !(await confirmed(io, yes, "Is the other appliance off for good, and shall this one send?"))
    ) {
      await tell(io, "It stays held.");
      return EXIT.failure;
    }
    const isResumed = before.held && (await resume(appliance));
    if (context.options.json === true)
      await printJson(io.stdout, { ...before, held: false, resumed: isResumed });
    else
      await say(
        io,
        isResumed
          ? "Resumed. A running server goes on within a second."
          : "It is not held; nothing was changed.",
      );
    return EXIT.done;
  });
}

interface Line {
  mode: string;
  what: string;
  count: number;
  next: string;
}

const COLUMNS: readonly Column<Line>[] = [
  { head: "mode", value: ({ mode }) => mode },
  { head: "what", value: ({ what }) => what },
  { head: "count", align: "right", value: ({ count }) => String(count) },
  { head: "next", value: ({ next }) => next },
];

/** What goes out; on stderr for who reads JSON. */
async function show(
  context: CommandContext,
  { documents, deliveries, backup_at }: Resumption,
  nowMs: number,
) {
  const { io } = context;
  const lines: Line[] = [
    ...documents.map(({ mode, provider, stage, documents: count, next }) => ({
      mode,
      what: `documents ${stage}, ${provider}`,
      count,
      next: next === "sent" ? "sent" : "asked about first",
    })),
    ...deliveries.map(({ mode, deliveries: count }) => ({
      mode,
      what: "webhook deliveries",
      count,
      next: "posted, some perhaps a second time",
    })),
  ];
  if (context.options.json !== true && lines.length > 0) await printTable(io, COLUMNS, lines);
  if (lines.length === 0) await tell(io, "Nothing waits to go out.");
  if (backup_at !== null)
    await tell(io, `The backup was made ${ageOf(backup_at, nowMs)} ago (${backup_at}).`);
  await tell(
    io,
    "Numbers that were given since then are unknown here: raise the counters with `fiscal numbering set` where you know them.",
  );
}

const HOUR_MS = 3_600_000;

function ageOf(instant: string, nowMs: number): string {
  const hours = (nowMs - Date.parse(instant)) / HOUR_MS;
  if (hours < 1) return `${Math.max(0, Math.round(hours * 60))} minutes`;
  return hours < 48 ? `${Math.round(hours)} hours` : `${Math.round(hours / 24)} days`;
}
