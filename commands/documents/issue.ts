/** `fiscal documents issue`: files in, documents with a MARK or a refusal out (decisions 13). */
import { access, constants } from "node:fs/promises";
import { resolve } from "node:path";
import { type Format, formatOf, hasTable, isTable } from "./batch/file-format.ts";
import { type MapOptions, namesFor, readMapFile } from "./batch/batch-map.ts";
import { keepMemorySmall } from "./batch/memory.ts";
import { presentBatch } from "./batch/present.ts";
import { startReport } from "./batch/report.ts";
import { interruptedError, runBatch } from "./batch/run-batch.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, UsageError } from "../exit.ts";
import { asUsageError } from "../input.ts";
import type { ProgramIo } from "../io.ts";
import { chooseMerchant } from "../merchants/choose-merchant.ts";
import { findMerchant } from "../merchants/find-merchant.ts";

export interface IssueOptions extends MapOptions {
  merchant?: string;
  format?: Format;
  provider?: string;
  series?: string;
  /** The sheet of workbooks. */
  sheet?: string;
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
  const { format, provider, series, sheet } = options;
  keepMemorySmall();
  await checkFiles(io, files, format);
  checkTableFlags(files, options);
  const given = typeof options.map === "string" ? await readMapFile(io, options.map) : undefined;
  const merchantName = await merchantNameFor(context, files, options);
  const dryRun = options.dryRun === true;
  const waited = options.wait && !dryRun;
  const report = await startReport(io, options.report);
  try {
    return await context.withAppliance(async (appliance, mode) => {
      const merchant = merchantName === undefined ? undefined : await findMerchant(appliance, merchantName);
      const defaults = { merchant, provider, series };
      const readsTables = merchant !== undefined && hasTable(files, format);
      const names = readsTables ? await namesFor(io, appliance, merchant, given, options) : undefined;
      const batch = await runBatch(io, appliance, mode, {
        files,
        format,
        defaults,
        names,
        sheet,
        dryRun,
        wait: waited,
      });
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

/** A flag that would do nothing is a mistake. */
function checkTableFlags(files: readonly string[], options: IssueOptions): void {
  if (options.rememberMap === true && typeof options.map !== "string")
    throw new UsageError("--map is missing: --remember-map keeps the map of that file");
  const flags = { "--map": typeof options.map === "string", "--sheet": options.sheet !== undefined };
  const flag = Object.entries(flags).find(([, isGiven]) => isGiven)?.[0];
  if (flag !== undefined && !hasTable(files, options.format))
    throw new UsageError(`${flag} is for tables, and none of the files is .csv or .xlsx`);
}

/** A table does not name its merchant; JSON bodies may. */
async function merchantNameFor(
  context: CommandContext,
  files: readonly string[],
  options: IssueOptions,
): Promise<string | undefined> {
  const needsMerchant = files.some((file) => isTable(formatOf(file, options.format)));
  if (!needsMerchant || options.merchant !== undefined) return options.merchant;
  return chooseMerchant(context, undefined);
}
