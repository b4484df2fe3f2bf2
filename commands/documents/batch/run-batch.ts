/** Runs over files of documents: accepts them, waits until they are issued, and collects the verdicts. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Appliance } from "../../../src/appliance.ts";
import type { Text } from "../../../src/foundation/text.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import type { ForeignNames } from "../../../src/intake/table-columns.ts";
import { InterruptedError } from "../../exit.ts";
import { listenForInterrupt, type ProgramIo, printNote, printProblem } from "../../io.ts";
import { waitForDocuments } from "../waiting.ts";
import { type Progress, startProgress } from "../../ui/progress.ts";
import { acceptItems, type BatchItem, checkItems, type Verdict } from "../../../src/intake/accept-items.ts";
import type { Format } from "./file-format.ts";
import type { Defaults, Reading } from "./reading.ts";
import { readItems } from "./source.ts";

export interface BatchOptions {
  /** Paths, or `-`. */
  files: readonly string[];
  format?: Format | undefined;
  defaults: Defaults;
  /** Other names for the columns and values of tables. */
  names?: ForeignNames | undefined;
  /** The sheet of workbooks. */
  sheet?: string | undefined;
  /** Only checks, stores nothing. */
  dryRun: boolean;
  /** Waits until each document has a MARK or was refused. */
  wait: boolean;
  /** How long to wait; undefined for the default. */
  timeoutSeconds?: number | undefined;
}

export interface Batch {
  /** In the order of the files. */
  verdicts: Verdict[];
  wasInterrupted: boolean;
}

/**
 * Reads, accepts and, with `wait`, issues. An interrupt stops it between two groups of documents; the batch has what was
 * accepted until then. Throws storage failures, after reporting how many documents were accepted.
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
    if (options.wait)
      await waitForDocuments(io, appliance, mode, {
        documentIds: idsOf(verdicts),
        signal: interrupt.signal,
        timeoutSeconds: options.timeoutSeconds,
      });
    return { verdicts, wasInterrupted: interrupt.signal.aborted };
  } catch (error) {
    const accepted = idsOf(verdicts).size;
    if (accepted > 0)
      await printProblem(io, {
        en: `${accepted} documents were accepted before this. ${HOW_TO_CONTINUE.en}`,
        el: `${accepted} παραστατικά είχαν γίνει δεκτά πριν από αυτό. ${HOW_TO_CONTINUE.el}`,
      });
    throw error;
  } finally {
    interrupt.dispose();
  }
}

/** Checks the documents before a person confirms them. Prints nothing: the run that follows reports the files and the errors. */
export async function checkBatch(
  io: ProgramIo,
  appliance: Appliance,
  mode: Mode,
  options: BatchOptions,
): Promise<readonly Verdict[]> {
  const interrupt = listenForInterrupt(io);
  const verdicts: Verdict[] = [];
  try {
    await collectVerdicts(
      io,
      appliance,
      mode,
      { ...options, dryRun: true },
      interrupt.signal,
      verdicts,
      true,
    );
  } finally {
    interrupt.dispose();
  }
  if (interrupt.signal.aborted)
    throw new InterruptedError({
      en: "interrupted: nothing was issued",
      el: "διακόπηκε: δεν εκδόθηκε τίποτα",
    });
  return verdicts;
}

const HOW_TO_CONTINUE: Text = {
  en: "Run the same command again to continue: nothing is issued twice.",
  el: "Εκτελέστε ξανά την ίδια εντολή για τη συνέχεια: τίποτα δεν εκδίδεται δύο φορές.",
};

/** The error of a run that was interrupted. */
export function interruptedError(batch: Batch): InterruptedError {
  const accepted = idsOf(batch.verdicts).size;
  return new InterruptedError({
    en: `interrupted: ${accepted} documents are accepted and will be issued by a server or the next run. ${HOW_TO_CONTINUE.en}`,
    el: `διακόπηκε: ${accepted} παραστατικά έγιναν δεκτά και θα τα εκδώσει ένας διακομιστής ή η επόμενη εκτέλεση. ${HOW_TO_CONTINUE.el}`,
  });
}

const CHECKING: Text = { en: "checking", el: "έλεγχος" };
const ACCEPTING: Text = { en: "accepting", el: "αποδοχή" };

async function collectVerdicts(
  io: ProgramIo,
  appliance: Appliance,
  mode: Mode,
  options: BatchOptions,
  signal: AbortSignal,
  verdicts: Verdict[],
  isSilent = false,
): Promise<void> {
  const notes: Text[] = [];
  const size = await sizeOf(io, options.files);
  let bytesRead = 0;
  const reading: Reading = {
    ...options,
    today: appliance.clock.today(),
    signal,
    note: (text) => void notes.push(text),
    onBytes: (bytes) => {
      bytesRead += bytes;
    },
  };
  const items = itemsOf(io, options.files, reading);
  const run = options.dryRun ? checkItems : acceptItems;
  try {
    await withProgress(io, options.dryRun ? CHECKING : ACCEPTING, async (progress) => {
      for await (const verdict of run(appliance, mode, items, signal)) {
        verdicts.push(verdict);
        progress.update(verdicts.length, undefined, size === undefined ? undefined : bytesRead / size);
      }
    });
  } catch (error) {
    // The abort that stopped the reading is not an error.
    if (error !== signal.reason) throw error;
  } finally {
    if (!isSilent) for (const note of notes) await printNote(io, note);
  }
}

/** The total size of the files; undefined if one is standard input. */
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

async function withProgress<T>(
  io: ProgramIo,
  label: Text,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = await startProgress(io, label);
  try {
    return await work(progress);
  } finally {
    progress.stop();
  }
}

/** The ids of the documents that were accepted, in this run or before. */
function idsOf(verdicts: readonly Verdict[]): Set<string> {
  return new Set(verdicts.flatMap((verdict) => ("id" in verdict ? [verdict.id] : [])));
}
