/** `fiscal keys`: API keys are made here only (decisions 12), and their secret is shown once. */
import type { Command } from "commander";
import type { KeyObject } from "../../src/keys/api-keys.ts";
import { MODES, type Mode } from "../../storage/stored-values.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { say, tell, write } from "../io.ts";
import { choice, integer, withExample } from "../options.ts";
import { defineRoll } from "./roll.ts";
import { defineRotateMaster } from "./rotate-master.ts";
import { printJson } from "../ui/json.ts";
import { askFor, canPrompt, confirmed } from "../ui/prompt.ts";
import { type Column, printTable } from "../ui/table.ts";

interface CreateOptions {
  mode?: Mode;
  name?: string;
  expiresIn?: number;
}

/** Ten years: longer than anyone will remember where the key is used. */
const EXPIRY_DAYS_MAX = 3650;

export function defineKeys(noun: Command, context: CommandContext): void {
  withExample(noun, 'fiscal keys create --mode test --name "web shop"', "fiscal keys list");
  withExample(
    noun
      .command("create")
      .description("make a key and print its secret, this once")
      .option(
        "--mode <test|live>",
        "what the key reaches: the sandbox, or the authority",
        choice("--mode", MODES),
      )
      .option("--name <text>", "what the key is for")
      .option("--expires-in <days>", "days until it ends", integer("--expires-in", 1, EXPIRY_DAYS_MAX))
      .action((options: CreateOptions) => context.end(runCreate(context, options))),
    'fiscal keys create --mode test --name "web shop" --expires-in 365',
  );
  withExample(
    noun
      .command("list")
      .description("all keys, newest first, without their secrets")
      .action(() => context.end(runList(context))),
    "fiscal keys list",
  );
  withExample(
    noun
      .command("revoke <key>")
      .description("end a key, named by id, name or last four characters")
      .option("--yes", "do not ask")
      .action((key: string, options: { yes?: boolean }) => context.end(runRevoke(context, key, options.yes))),
    'fiscal keys revoke "web shop" --yes',
  );
  defineRoll(noun, context);
  defineRotateMaster(noun, context);
}

async function runCreate(context: CommandContext, options: CreateOptions): Promise<void> {
  const { io } = context;
  // `--live` before the noun says the mode as well as `--mode live` does.
  const mode = options.mode ?? (context.options.live === true ? "live" : undefined);
  if (mode === undefined && !canPrompt(io)) throw new UsageError("--mode is missing: test or live");
  if (mode === "test" && context.options.live === true)
    throw new UsageError("--live and --mode test contradict each other");
  const chosen =
    mode ??
    choice("--mode", MODES)(await askFor(io, undefined, { flag: "--mode", message: "Mode (test or live)" }));
  const name = await askFor(io, options.name, { flag: "--name", message: "What is the key for?" });
  const { createKey } = await import("../../src/keys/api-keys.ts");
  const key = await context.withAppliance((appliance) =>
    createKey(appliance, { mode: chosen, name, expiresInDays: options.expiresIn }),
  );
  if (context.options.json === true) return printJson(io.stdout, key);
  await write(io.stdout, `${key.secret}\n`);
  await tell(io, `This is the ${key.mode} key "${key.name}". Keep it now: it cannot be shown again.`);
}

const COLUMNS: readonly Column<KeyObject>[] = [
  { head: "id", value: (key) => key.id },
  { head: "mode", value: (key) => key.mode },
  { head: "name", value: (key) => key.name },
  { head: "ends in", value: (key) => `…${key.last4}` },
  { head: "created", value: (key) => key.created },
  { head: "last used", value: (key) => key.last_used_at ?? "-" },
  { head: "expires", value: (key) => key.expires_at ?? "never" },
  { head: "revoked", value: (key) => key.revoked_at ?? "-" },
];

async function runList(context: CommandContext): Promise<void> {
  const { io } = context;
  const { listKeys } = await import("../../src/keys/api-keys.ts");
  const keys = await context.withAppliance((appliance) => listKeys(appliance));
  if (context.options.json === true)
    return printJson(io.stdout, { object: "list", data: keys, has_more: false });
  if (keys.length === 0) return tell(io, "No keys. `fiscal keys create` makes one.");
  await printTable(io, COLUMNS, keys);
}

async function runRevoke(context: CommandContext, name: string, yes: boolean | undefined): Promise<ExitCode> {
  const { io } = context;
  if (!(await confirmed(io, yes, "Revoke this key? What uses it is refused from then on."))) {
    await tell(io, "Nothing was changed.");
    return EXIT.failure;
  }
  const { revokeKey } = await import("../../src/keys/api-keys.ts");
  const key = await context.withAppliance((appliance) => revokeKey(appliance, name));
  if (context.options.json === true) await printJson(io.stdout, key);
  else await say(io, `${key.id} revoked`);
  return EXIT.done;
}
