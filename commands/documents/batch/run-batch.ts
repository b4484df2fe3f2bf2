/** One run over files of documents: accept them, wait for them, and keep what became of each. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Appliance } from "../../../src/appliance.ts";
import type { Mode } from "../../../storage/stored-values.ts";
import type { ForeignNames } from "../../../src/intake/table-columns.ts";
import { InterruptedError } from "../../exit.ts";
import { listenForInterrupt, type ProgramIo, tell, tellTrouble } from "../../io.ts";
import { tellStranded } from "../stranded.ts";
import { type Progress, startProgress } from "../../ui/progress.ts";
import { acceptItems, checkItems, type Verdict } from "./accept-batch.ts";
import type { Format } from "./file-format.ts";
import type { BatchItem, Defaults, Reading } from "./reading.ts";
import { readItems } from "./source.ts";

export interface BatchOptions {
  /** Paths, or `-`. */
  files: readonly string[];
  format?: Format | undefined;
  defaults: Defaults;
  /** What the columns and values of tables may be called. */
  names?: ForeignNames | undefined;
  /** The sheet of workbooks. */
  sheet?: string | undefined;
  /** Check only, and store nothing. */
  dryRun: boolean;
  /** Wait until each document has a MARK or a refusal. */
  wait: boolean;
}

export interface Batch {
  /** In the order of the files. */
  verdicts: Verdict[];
  wasInterrupted: boolean;
}

/**
 * Reads, accepts and, where asked to, waits. An interrupt stops it between two groups of documents; what was accepted
 * until then is in the batch. Storage that fails in the middle is thrown, after saying how far it went.
 */
export async function runBatch(
  io: ProgramIo,
  appliance: Appliance,
  mode: Mode,
  options: BatchOptions,
): Promise<Batch> {
  const interrupt = listenForInterrupt(io);
  const verdicts: Verdict[] = [];
  try {
    await collectVerdicts(io, appliance, mode, options, interrupt.signal, verdicts);
    if (options.wait) await waitFor(io, appliance, mode, idsOf(verdicts), interrupt.signal);
    return { verdicts, wasInterrupted: interrupt.signal.aborted };
  } catch (error) {
    const accepted = idsOf(verdicts).size;
    if (accepted > 0)
      await tellTrouble(io, `${accepted} documents were accepted before this. ${HOW_TO_CONTINUE}`);
    throw error;
  } finally {
    interrupt.dispose();
  }
}

const HOW_TO_CONTINUE = "Run the same command again to go on: nothing is issued twice.";

/** What the run says when it was stopped. */
export function interruptedError(batch: Batch): InterruptedError {
  const accepted = idsOf(batch.verdicts).size;
  return new InterruptedError(
    `interrupted: ${accepted} documents are accepted and will be issued by a server or the next run. ${HOW_TO_CONTINUE}`,
  );
}

async function collectVerdicts(
  io: ProgramIo,
  appliance: Appliance,
  mode: Mode,
  options: BatchOptions,
  signal: AbortSignal,
  verdicts: Verdict[],
): Promise<void> {
  const notes: string[] = [];
  const size = await sizeOf(io, options.files);
  let bytesRead = 0;
  const reading: Reading = {
    ...options,
    today: appliance.clock.today(),
    signal,
    note: (line) => void notes.push(line),
    onBytes: (bytes) => {
      bytesRead += bytes;
    },
  };
  const items = itemsOf(io, options.files, reading);
  const run = options.dryRun ? checkItems : acceptItems;
  try {
    await withProgress(io, options.dryRun ? "checking" : "accepting", async (progress) => {
      for await (const verdict of run(appliance, mode, items, signal)) {
        verdicts.push(verdict);
        progress.update(verdicts.length, undefined, size === undefined ? undefined : bytesRead / size);
      }
    });
  } catch (error) {
    // Reading was cut short on purpose.
    if (error !== signal.reason) throw error;
  } finally {
    for (const line of notes) await tell(io, line);
  }
}

/** The bytes of all files; undefined where one of them is standard input. */
async function sizeOf(io: ProgramIo, files: readonly string[]): Promise<number | undefined> {
  if (files.includes("-")) return undefined;
  let size = 0;
  for (const file of files) size += (await stat(resolve(io.cwd, file))).size;
  return size === 0 ? undefined : size;
}

async function* itemsOf(
  io: ProgramIo,
  files: readonly string[],
  reading: Reading,
): AsyncGenerator<BatchItem> {
  for (const file of files) yield* readItems(io, file, reading);
}

/** Works the queue here as well; a server on the same data may take the documents instead. */
async function waitFor(
  io: ProgramIo,
  appliance: Appliance,
  mode: Mode,
  documentIds: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  if (documentIds.size === 0 || signal.aborted) return;
  await appliance.startScheduler();
  const stranded = await withProgress(io, "issuing", (progress) =>
    appliance.issuing.drain({
      documentIds,
      signal,
      onProgress: (done, total) => progress.update(done, total),
    }),
  );
  await tellStranded(io, stranded, mode === "live");
}

async function withProgress<T>(
  io: ProgramIo,
  label: string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = await startProgress(io, label);
  try {
    return await work(progress);
  } finally {
    progress.stop();
  }
}

/** The ids of the documents that were accepted, now or before. */
function idsOf(verdicts: readonly Verdict[]): Set<string> {
  return new Set(verdicts.flatMap((verdict) => ("id" in verdict ? [verdict.id] : [])));
}
