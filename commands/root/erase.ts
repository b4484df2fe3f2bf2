/** `fiscal erase`: what the logs hold about a tax number is removed for good (decisions 11). */
import type { Command } from "commander";
import type { Appliance } from "../../src/appliance.ts";
import type { Erasure } from "../../src/upkeep/retention/erase-tax-number.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { catalogueOf, say, tell, tellTrouble } from "../io.ts";
import type { Catalogue } from "../language/language.ts";
import { withExample } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { startProgress } from "../ui/progress.ts";
import { askFor, confirmed } from "../ui/prompt.ts";

interface EraseOptions {
  taxId?: string;
  yes?: boolean;
  dryRun?: boolean;
}

const NOTES = `
Removes the logged bodies and the provider's messages about the number, in both modes. The documents themselves stay, as
the law wants them: their numbers, amounts and MARKs. A second run finds nothing and changes nothing.`;

export function defineErase(command: Command, context: CommandContext): void {
  withExample(
    command
      .option("--tax-id <number>", "the tax number whose traces are removed")
      .option("--dry-run", "count them, and change nothing")
      .option("--yes", "do not ask")
      .addHelpText("after", NOTES)
      .action((options: EraseOptions) => context.end(runErase(context, options))),
    "fiscal erase --tax-id 123456783 --dry-run",
    "fiscal erase --tax-id 123456783 --yes",
  );
}

async function runErase(context: CommandContext, options: EraseOptions): Promise<ExitCode> {
  const { io } = context;
  const taxId = await askFor(io, options.taxId, { flag: "--tax-id", message: "Tax number" });
  const masked = await mask(taxId);
  const language = catalogueOf(io);
  const erasure = await context.withAppliance(async (appliance) => {
    const found = await erase(context, appliance, taxId, true);
    if (options.dryRun === true) return found;
    if (!isEmpty(found)) {
      // Also with --quiet: whoever answers the question must know what it is about.
      const show = options.yes === true ? tell : tellTrouble;
      await show(io, `To be removed about the tax number ${masked}: ${describe(found, language)}.`);
      if (!(await confirmed(io, options.yes, "Remove them? That cannot be taken back."))) return undefined;
    } else if (options.yes !== true) {
      // There is nothing to ask about. With --yes it is done all the same: a run that was killed may lack its last step.
      return { ...found, dry_run: false };
    }
    return erase(context, appliance, taxId, false);
  });
  if (erasure === undefined) {
    await tell(io, "Nothing was changed.");
    return EXIT.failure;
  }
  if (context.options.json === true) await printJson(io.stdout, erasure);
  else await say(io, summarise(erasure, masked, language));
  return EXIT.done;
}

/** With a count on the terminal while it works. */
async function erase(
  context: CommandContext,
  appliance: Appliance,
  taxId: string,
  dryRun: boolean,
): Promise<Erasure> {
  const { eraseTaxId } = await import("../../src/upkeep/retention/erase-tax-number.ts");
  const progress = await startProgress(context.io, dryRun ? "looking" : "erasing");
  try {
    return await eraseTaxId(appliance, taxId, { dryRun, onProgress: (done) => progress.update(done) });
  } finally {
    progress.stop();
  }
}

/** The number itself is personal data where it is of a person: only its end is shown, and of a short one nothing. */
const SHOWN_CHARACTERS = 3;

async function mask(taxId: string): Promise<string> {
  const { normaliseTaxCode } = await import("../../src/domain/tax-number.ts");
  const code = normaliseTaxCode(taxId);
  return code.length > 2 * SHOWN_CHARACTERS ? `…${code.slice(-SHOWN_CHARACTERS)}` : "…";
}

/** What is counted, one and several. */
const COUNTED = [
  ["documents", "document", "documents"],
  ["connections", "connection", "connections"],
  ["requests", "request", "requests"],
  ["provider_calls", "provider call", "provider calls"],
  ["events", "event", "events"],
  ["lookups", "lookup", "lookups"],
  ["deliveries", "webhook delivery", "webhook deliveries"],
] as const satisfies readonly (readonly [keyof Erasure, string, string])[];

function isEmpty(erasure: Erasure): boolean {
  return COUNTED.every(([key]) => erasure[key] === 0);
}

/** `1 document, 2 requests, 3 provider calls, 4 events, 0 lookups` without those that are none. */
function describe(erasure: Erasure, { text }: Catalogue): string {
  return COUNTED.filter(([key]) => erasure[key] > 0)
    .map(([key, one, several]) => `${erasure[key]} ${text(erasure[key] === 1 ? one : several)}`)
    .join(", ");
}

function summarise(erasure: Erasure, masked: string, language: Catalogue): string {
  if (isEmpty(erasure)) return `There is nothing left to remove about the tax number ${masked}.`;
  if (erasure.dry_run)
    return `Would be removed about the tax number ${masked}: ${describe(erasure, language)}.`;
  return `Removed about the tax number ${masked}: ${describe(erasure, language)}. The fiscal core of the documents stays.`;
}
