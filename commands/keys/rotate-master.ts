/** `fiscal keys rotate-master`: everything that is sealed is sealed anew with another master key, beside running servers. */
import type { Command } from "commander";
import type { Appliance } from "../../src/appliance.ts";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import type { Rotation } from "../../src/keys/rotation.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { nameOf, readBytes, readText } from "../input.ts";
import { say, tell } from "../io.ts";
import { withExample } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { startProgress } from "../ui/progress.ts";
import { confirmed } from "../ui/prompt.ts";

interface RotateOptions {
  newKeyFile?: string;
  yes?: boolean;
}

const NOTES = `
Servers may run meanwhile: they find the new key beside the old one and use it from their next write on. A run that was
stopped or killed is finished by the next one. The replaced key is kept beside the new one, under a dated name, since
backups made before can be read with nothing else.

Where the key is in FISCAL_MASTER_KEY: set FISCAL_MASTER_KEY to the new key and FISCAL_MASTER_KEY_PREVIOUS to the present one,
restart the servers, then run this with the same two.`;

export function defineRotateMaster(noun: Command, context: CommandContext): void {
  withExample(
    noun
      .command("rotate-master")
      .description("replace the master key, and seal everything anew with the new one")
      .option(
        "--new-key-file <file>",
        "the new key: 64 hexadecimal digits, or base64 of 32 bytes (default: a random one)",
      )
      .option("--yes", "do not ask")
      .addHelpText("after", NOTES)
      .action((options: RotateOptions) => context.end(runRotate(context, options))),
    "fiscal keys rotate-master --yes",
  );
}

async function runRotate(context: CommandContext, options: RotateOptions): Promise<ExitCode> {
  const { io } = context;
  const newKey = await readNewKey(context, options.newKeyFile);
  if (!(await confirmed(io, options.yes, "Replace the master key? Servers may go on meanwhile."))) {
    await tell(io, "Nothing was changed.");
    return EXIT.failure;
  }
  const rotation = await context.withAppliance((appliance) => rotate(context, appliance, newKey));
  if (context.options.json === true) await printJson(io.stdout, rotation);
  else await say(io, describe(rotation));
  await warnOfUnreadable(context, rotation);
  return EXIT.done;
}

async function readNewKey(context: CommandContext, file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  const { parseKey } = await import("../../src/keys/key-files.ts");
  const name = nameOf(file);
  const text = await readText(readBytes(context.io, file), name);
  try {
    return parseKey(text, name);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new UsageError(`--new-key-file: ${error.message}`, { cause: error });
  }
}

async function rotate(
  context: CommandContext,
  appliance: Appliance,
  newKey: Buffer | undefined,
): Promise<Rotation> {
  const { rotateMasterKey } = await import("../../src/keys/rotation.ts");
  const progress = await startProgress(context.io, "sealing anew");
  try {
    return await rotateMasterKey(appliance, { newKey, onProgress: progress.update });
  } finally {
    progress.stop();
  }
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function describe({ from, to, resumed, resealed, retired_key_file: retired }: Rotation): string {
  const values = sum(resealed);
  const done =
    `The master key ${to} has replaced ${from}: ${values} ${values === 1 ? "value was" : "values were"} sealed anew` +
    `${resumed ? " after an earlier run that was stopped" : ""}.`;
  if (retired !== null) {
    return `${done}\nThe replaced key is kept in ${retired}, for backups made before: move it to where those are.`;
  }
  return `${done}\nKeep the replaced key for backups made before.`;
}

async function warnOfUnreadable({ io }: CommandContext, { unreadable }: Rotation): Promise<void> {
  const values = sum(unreadable);
  if (values === 0) return;
  const where = Object.entries(unreadable)
    .map(([table, count]) => `${table} ${count}`)
    .join(", ");
  await tell(io, `Values that no key opens, left as they are: ${values} (${where}). See \`fiscal doctor\`.`);
}
