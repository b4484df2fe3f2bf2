/** `fiscal doctor`: whether all is well, and what to do where it is not. Changes nothing. */
import type { Command } from "commander";
import type { Diagnosis } from "../../src/upkeep/doctor/diagnosis.ts";
import type { Finding } from "../../src/upkeep/doctor/doctor-finding.ts";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { catalogueOf, tell, write } from "../io.ts";
import { withExample } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { printable } from "../ui/printable.ts";
import { type Column, printTable } from "../ui/table.ts";

interface DoctorOptions {
  online?: boolean;
}

const NOTES = `
Looks at configuration, database, master key, clock, disk, connections, documents of both modes, numbers, API keys and
retention. Reads only, beside a running server too.
Exit: 0 when nothing needs a person, 1 when something does, 78 when the configuration cannot be loaded.`;

export function defineDoctor(command: Command, context: CommandContext): void {
  withExample(
    command
      .option("--online", "compare the clock with that of the tax authority's server, too")
      .addHelpText("after", NOTES)
      .action((options: DoctorOptions) => context.end(runDoctor(context, options))),
    "fiscal doctor",
    "fiscal doctor --online --json",
  );
}

async function runDoctor(context: CommandContext, options: DoctorOptions): Promise<ExitCode> {
  const { diagnose, diagnoseWithoutConfiguration } = await import("../../src/upkeep/doctor/diagnosis.ts");
  const { createClock } = await import("../../src/foundation/clock.ts");
  let diagnosis: Diagnosis;
  try {
    const config = await context.configuration();
    diagnosis = await diagnose({
      config,
      clock: createClock(),
      command: (mode, words) => commandLine(context, config.defaultMode, mode, words),
      online: options.online === true,
    });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    await present(context, diagnoseWithoutConfiguration(error.message));
    return EXIT.configuration;
  }
  await present(context, diagnosis);
  return diagnosis.healthy ? EXIT.done : EXIT.failure;
}

/** The command as it must be given here: with the places and the mode that this one was given. */
function commandLine(context: CommandContext, usual: Mode, mode: Mode | null, words: string): string {
  const { config, dataDir } = context.options;
  const flags = [
    ...(config === undefined ? [] : ["--config", quoted(config)]),
    ...(dataDir === undefined ? [] : ["--data-dir", quoted(dataDir)]),
    ...(mode === "live" ? ["--live"] : []),
  ];
  // There is a flag for live mode only.
  const program = mode === "test" && usual === "live" ? "FISCAL_DEFAULT_MODE=test fiscal" : "fiscal";
  return [program, ...flags, words].join(" ");
}

/** For a shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

const COLUMNS: readonly Column<Finding>[] = [
  { head: "severity", value: ({ severity }) => severity },
  { head: "check", value: ({ check }) => check },
  { head: "finding", value: ({ message }) => message, wraps: true },
];

/** The findings as a table; what to do stands below it, whole, so that it can be copied. */
async function present(context: CommandContext, diagnosis: Diagnosis): Promise<void> {
  const { io } = context;
  if (context.options.json === true) return printJson(io.stdout, diagnosis);
  await printTable(io, COLUMNS, diagnosis.findings);
  const { text, value } = catalogueOf(io);
  for (const { severity, check, next_step } of diagnosis.findings) {
    if (next_step === null) continue;
    const about = `${value("severity", severity)}, ${value("check", check)}`;
    await write(io.stdout, `${about}: ${printable(text(next_step))}\n`);
  }
  const problems = diagnosis.findings.filter(({ severity }) => severity === "problem").length;
  await tell(io, problems === 0 ? "Nothing needs a person." : `Needs a person: ${problems}.`);
}
