/** `fiscal quickstart`: from nothing to twelve issued documents, in a folder of its own and in the sandbox. */
import { join, relative, resolve } from "node:path";
import type { Command } from "commander";
import type { Appliance } from "../../src/appliance.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import type { Tally } from "../documents/batch/batch-outcome.ts";
import { presentBatch } from "../documents/batch/present.ts";
import { startReport } from "../documents/batch/report.ts";
import { interruptedError, runBatch } from "../documents/batch/run-batch.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { formatAmount, formatNumber, formatResult, formatStatus } from "../documents/document-view.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { type ProgramIo, say, tell, tellTrouble } from "../io.ts";
import { withExample } from "../options.ts";
import type { Column } from "../ui/table.ts";

const FOLDER = "fiscal-quickstart";
const EXAMPLES = "examples/documents.csv";
/** Merchant and key are found again under this name, so that a second run makes neither twice. */
const NAME = "quickstart";
const MERCHANT = { external_id: NAME, name: "Παράδειγμα Α.Ε.", tax_id: "123456783" };

const COLUMNS: readonly Column<DocumentObject>[] = [
  { head: "reference", value: (document) => document.external_reference ?? "-" },
  { head: "type", value: (document) => document.type },
  { head: "number", value: formatNumber },
  { head: "gross", align: "right", value: (document) => formatAmount(document.gross) },
  { head: "status", value: formatStatus },
  { head: "MARK or provider's code", value: formatResult },
];

export function defineQuickstart(command: Command, context: CommandContext): void {
  withExample(
    command.action(() => context.end(runQuickstart(context))),
    "fiscal quickstart",
    "fiscal quickstart --data-dir ./somewhere-else",
  );
}

async function runQuickstart(context: CommandContext): Promise<ExitCode> {
  const { io } = context;
  if (context.options.live === true)
    throw new UsageError("quickstart issues in the sandbox: leave --live out");
  const dataDir = resolve(io.cwd, context.options.dataDir ?? FOLDER);
  // A configuration file may name the database of a real business: the examples never go there.
  const ownFiles = { storage: { database: "" }, security: { masterKeyFile: "" } };
  await context.configuration({ dataDir, overrides: ownFiles });
  await tell(io, `Data directory: ${dataDir}`);
  return context.withAppliance(async (appliance) => {
    const merchant = await findOrMakeMerchant(appliance);
    await showKey(context, appliance);
    const tally = await issueExamples(context, appliance, merchant);
    await tell(io, remarkOn(tally));
    await tell(io, nextCommands(io, dataDir));
    return tally.exitCode === EXIT.refused ? EXIT.done : tally.exitCode;
  });
}

async function findOrMakeMerchant(appliance: Appliance): Promise<MerchantObject> {
  const { createMerchant, getMerchant, listMerchants } = await import("../../src/merchants/merchants.ts");
  const { data } = await listMerchants(appliance, { limit: 1, external_id: NAME });
  if (data[0] !== undefined) return data[0];
  const created = await createMerchant(appliance, MERCHANT, causeOf("test"));
  return getMerchant(appliance, created.id);
}

/** Makes the key the first time. With `--json` stdout belongs to the list of documents. */
async function showKey(context: CommandContext, appliance: Appliance): Promise<void> {
  const { createKey, listKeys } = await import("../../src/keys/api-keys.ts");
  const known = (await listKeys(appliance)).find((key) => key.name === NAME && key.revoked_at === null);
  if (known !== undefined) {
    const again = "`fiscal keys create` makes another.";
    return tell(
      context.io,
      `API key: made before (…${known.last4}); it was shown then and cannot be shown again. ${again}`,
    );
  }
  const key = await createKey(appliance, { mode: "test", name: NAME });
  const show = context.options.json === true ? tellTrouble : say;
  await show(context.io, `API key (test mode, shown this once): ${key.secret}`);
}

async function issueExamples(
  context: CommandContext,
  appliance: Appliance,
  merchant: MerchantObject,
): Promise<Tally> {
  const { io } = context;
  const file = join(io.packageRoot, EXAMPLES);
  const defaults = { merchant, provider: "sandbox" };
  const options = { files: [file], format: "csv", defaults, dryRun: false, wait: true } as const;
  const batch = await runBatch(io, appliance, "test", options);
  if (batch.wasInterrupted) throw interruptedError(batch);
  const report = await startReport(io, undefined);
  return presentBatch(context, appliance, "test", { batch, report, waited: true, columns: COLUMNS });
}

function remarkOn(tally: Tally): string {
  const again = tally.accepted === 0 && tally.acceptedBefore > 0;
  const repeated = again ? "All of them were there from an earlier run: nothing was issued twice. " : "";
  const refused =
    tally.rejected === 1 ? "The refused one is meant to be: it shows what a refusal looks like." : "";
  return `${repeated}${refused}`.trim();
}

/** Three commands that work as they stand, from the folder where this one was called. */
function nextCommands(io: ProgramIo, dataDir: string): string {
  const program = io.env["npm_command"] === "exec" ? "npx fiscal" : "fiscal";
  const inside = relative(io.cwd, dataDir);
  const folder = inside.startsWith("..") || inside === "" ? dataDir : `./${inside}`;
  const call = `${program} --data-dir ${/^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`}`;
  return [
    "\nTry next:",
    `  ${call} documents list --status rejected`,
    `  ${call} numbering audit`,
    `  ${call} serve`,
  ].join("\n");
}
