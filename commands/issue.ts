/** `fiscal documents issue`: files in, documents with a MARK or a refusal out (decisions 13). */
import { access, constants } from "node:fs/promises";
import { resolve } from "node:path";
import { type Format, formatOf } from "./batch/format.ts";
import { presentBatch } from "./batch/present.ts";
import { startReport } from "./batch/report.ts";
import { interruptedError, runBatch } from "./batch/run.ts";
import type { CommandContext } from "./context.ts";
import type { ExitCode } from "./exit.ts";
import { asUsageError } from "./input.ts";
import type { ProgramIo } from "./io.ts";
import { chooseMerchant } from "./merchant-choice.ts";
import { merchantNamed } from "./merchant-name.ts";

export interface IssueOptions {
  merchant?: string;
  format?: Format;
  provider?: string;
  series?: string;
  dryRun?: boolean;
  report?: string;
  /** False with `--no-wait`. */
  wait: boolean;
}

export async function runIssue(
  context: CommandContext,
  files: string[],
  options: IssueOptions,
): Promise<ExitCode> {
  const { io } = context;
  const { format, provider, series } = options;
  await checkFiles(io, files, format);
  const merchantName = await merchantNameFor(context, files, options);
  const dryRun = options.dryRun === true;
  const waited = options.wait && !dryRun;
  const report = await startReport(io, options.report);
  try {
    return await context.withAppliance(async (appliance, mode) => {
      const merchant = merchantName === undefined ? undefined : await merchantNamed(appliance, merchantName);
      const defaults = { merchant, provider, series };
      const batch = await runBatch(io, appliance, mode, { files, format, defaults, dryRun, wait: waited });
      const tally = await presentBatch(context, appliance, mode, { batch, report, waited, dryRun });
      if (batch.wasInterrupted) throw interruptedError(batch);
      return tally.exitCode;
    });
  } finally {
    await report.discard();
  }
}

/** Every file is there, can be read and has a format, before the first document is accepted. */
async function checkFiles(io: ProgramIo, files: readonly string[], given: Format | undefined): Promise<void> {
  for (const file of files) {
    formatOf(file, given);
    if (file === "-") continue;
    try {
      await access(resolve(io.cwd, file), constants.R_OK);
    } catch (error) {
      throw asUsageError(error, file);
    }
  }
}

/** A CSV file does not name its merchant; JSON bodies may. */
async function merchantNameFor(
  context: CommandContext,
  files: readonly string[],
  options: IssueOptions,
): Promise<string | undefined> {
  const needsMerchant = files.some((file) => formatOf(file, options.format) === "csv");
  if (!needsMerchant || options.merchant !== undefined) return options.merchant;
  return chooseMerchant(context, undefined);
}
