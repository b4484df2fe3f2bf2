/** `fiscal keys roll`: the successor of an API key, and an end for the old one once its users have changed over. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { tell, write } from "../io.ts";
import { integer, withExample } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { confirmed } from "../ui/prompt.ts";

interface RollOptions {
  overlap: number;
  expiresIn?: number;
  yes?: boolean;
}

const OVERLAP_DAYS_DEFAULT = 7;
/** As `rollKey` has them. */
const OVERLAP_DAYS_MAX = 365;
const EXPIRY_DAYS_MAX = 3650;

export function defineRoll(noun: Command, context: CommandContext): void {
  withExample(
    noun
      .command("roll <key>")
      .description(
        "make the successor of a key and print its secret, this once; the old one ends after an overlap",
      )
      .option(
        "--overlap <days>",
        "days that the old key goes on for; 0 revokes it at once",
        integer("--overlap", 0, OVERLAP_DAYS_MAX),
        OVERLAP_DAYS_DEFAULT,
      )
      .option(
        "--expires-in <days>",
        "days until the new key ends (default: as long as the old one was made for)",
        integer("--expires-in", 1, EXPIRY_DAYS_MAX),
      )
      .option("--yes", "do not ask before a key is revoked")
      .action((key: string, options: RollOptions) => context.end(runRoll(context, key, options))),
    'fiscal keys roll "web shop" --overlap 14',
  );
}

async function runRoll(context: CommandContext, name: string, options: RollOptions): Promise<ExitCode> {
  const { io } = context;
  const { overlap: overlapDays, expiresIn: expiresInDays } = options;
  const question = "Revoke the old key at once? What uses it is refused from then on.";
  if (overlapDays === 0 && !(await confirmed(io, options.yes, question))) {
    await tell(io, "Nothing was changed.");
    return EXIT.failure;
  }
  const { rollKey } = await import("../../src/keys/roll.ts");
  const key = await context.withAppliance((appliance) =>
    rollKey(appliance, name, { overlapDays, expiresInDays }),
  );
  if (context.options.json === true) {
    await printJson(io.stdout, key);
    return EXIT.done;
  }
  await write(io.stdout, `${key.secret}\n`);
  const { id, last4, expires_at: end } = key.replaces;
  const fate = end === null || overlapDays === 0 ? "is revoked" : `works until ${end}`;
  await tell(io, `This is the new ${key.mode} key "${key.name}". Keep it now: it cannot be shown again.`);
  await tell(io, `The old one, ${id} (…${last4}), ${fate}.`);
  return EXIT.done;
}
