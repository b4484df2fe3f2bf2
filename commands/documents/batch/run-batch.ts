/** Runs over files of documents: accepts them, waits until they are issued, and collects the verdicts. In live mode it asks first. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Appliance } from "../../../src/appliance.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import { daysText } from "../../../src/foundation/days.ts";
import { joinTexts, SEMICOLON, type Text } from "../../../src/foundation/text.ts";
import { acceptItems, type BatchItem, checkItems, type Verdict } from "../../../src/intake/accept-items.ts";
import { findMerchantByName } from "../../../src/merchants/merchants.ts";
import { countText, moneyText } from "../../../src/operations/view.ts";
import { confirmChange, type YesOption } from "../../confirmation.ts";
import type { CommandContext } from "../../context.ts";
import { InterruptedError } from "../../exit.ts";
import { interruptible, printNote, printProblem, type ProgramIo } from "../../io.ts";
import { withProgress } from "../../ui/progress.ts";
import { waitForDocuments } from "../waiting.ts";
import { type Reading, readItems, type ReadOptions } from "./read-files.ts";

export interface BatchOptions extends ReadOptions {
  /** Paths, or `-`. */
  files: readonly string[];
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
export function runBatch(
  io: ProgramIo,
  appliance: Appliance,
  mode: Mode,
  options: BatchOptions,
): Promise<Batch> {
  return interruptible(io, async (signal) => {
    const verdicts: Verdict[] = [];
    const notes: Text[] = [];
    try {
      await collect(io, appliance, mode, options, { verdicts, notes, signal }).finally(async () => {
        for (const note of notes) await printNote(io, note);
      });
      const { wait, timeoutSeconds } = options;
      if (wait)
        await waitForDocuments(io, appliance, mode, {
          documentIds: idsOf(verdicts),
          signal,
          timeoutSeconds,
        });
      return { verdicts, wasInterrupted: signal.aborted };
    } catch (error) {
      const accepted = idsOf(verdicts).size;
      if (accepted > 0)
        await printProblem(io, {
          en: `${accepted} documents were accepted before this. ${HOW_TO_CONTINUE.en}`,
          el: `${accepted} παραστατικά είχαν γίνει δεκτά πριν από αυτό. ${HOW_TO_CONTINUE.el}`,
        });
      throw error;
    }
  });
}

const HOW_TO_CONTINUE: Text = {
  en: "Run the same command again to continue: nothing is issued twice.",
  el: "Εκτελέστε ξανά την ίδια εντολή για τη συνέχεια: τίποτα δεν εκδίδεται δύο φορές.",
};

/** The error of a run that was interrupted. `pending` of its documents are accepted and have no outcome. */
export function interruptedError(pending = 0): InterruptedError {
  return new InterruptedError({
    en: `interrupted: ${pending} documents are accepted and will be issued by a server or the next run. ${HOW_TO_CONTINUE.en}`,
    el: `διακόπηκε: ${pending} παραστατικά έγιναν δεκτά και θα τα εκδώσει ένας διακομιστής ή η επόμενη εκτέλεση. ${HOW_TO_CONTINUE.el}`,
  });
}

/**
 * Checks the files, shows merchant, number of documents, sum and issue dates, and asks whether to issue them
 * (docs/contract.md#confirmation-in-live-mode).
 */
export async function confirmLive(
  context: CommandContext,
  appliance: Appliance,
  options: BatchOptions,
  yes: YesOption,
): Promise<boolean> {
  if (yes.yes === true) return true;
  const { io } = context;
  const { shares, invalid } = summarise(await checkBatch(io, appliance, options));
  for (const [merchant, { count, gross, first, last }] of shares) {
    const { name } = await findMerchantByName(appliance, merchant);
    const documents = countText(count);
    const sum = moneyText(gross);
    const days = daysText(first, last);
    await printProblem(io, {
      en: `${name}: documents ${documents.en}, total ${sum.en}, dated ${days.en}`,
      el: `${name}: παραστατικά ${documents.el}, σύνολο ${sum.el}, με ημερομηνία ${days.el}`,
    });
  }
  if (invalid > 0) await printProblem(io, describeInvalid(invalid));
  // There is nothing to issue, so nothing to confirm: the run reports why.
  if (shares.size === 0) return true;
  return confirmChange(context, yes, {
    en: "Issue them in live mode? A tax document cannot be unsent.",
    el: "Να εκδοθούν στην παραγωγική λειτουργία; Ένα παραστατικό που στάλθηκε δεν παίρνεται πίσω.",
  });
}

/** Prints nothing: the run that follows reports the files and the errors. */
function checkBatch(io: ProgramIo, appliance: Appliance, options: BatchOptions): Promise<readonly Verdict[]> {
  return interruptible(io, async (signal) => {
    const verdicts: Verdict[] = [];
    await collect(io, appliance, "live", { ...options, dryRun: true }, { verdicts, notes: [], signal });
    if (!signal.aborted) return verdicts;
    throw new InterruptedError({
      en: "interrupted: nothing was issued",
      el: "διακόπηκε: δεν εκδόθηκε τίποτα",
    });
  });
}

function describeInvalid(invalid: number): Text {
  const { en, el } = countText(invalid);
  return joinTexts(
    [
      { en: `not valid, and left out: ${en}`, el: `άκυρα, που μένουν εκτός: ${el}` },
      { en: "--dry-run lists them", el: "τα δείχνει η --dry-run" },
    ],
    SEMICOLON,
  );
}

interface Share {
  count: number;
  /** Cents. */
  gross: bigint;
  /** The earliest and the latest issue date. */
  first: string;
  last: string;
}

/** The documents that are valid by merchant, in the order of the files. */
function summarise(verdicts: readonly Verdict[]): { shares: ReadonlyMap<string, Share>; invalid: number } {
  const shares = new Map<string, Share>();
  const valid = verdicts.filter((verdict) => verdict.outcome === "valid");
  for (const { merchant, check } of valid) {
    const { issue_date: day, totals } = check;
    const share = shares.get(merchant) ?? { count: 0, gross: 0n, first: day, last: day };
    shares.set(merchant, share);
    share.count += 1;
    share.gross += BigInt(totals.gross);
    if (day < share.first) share.first = day;
    if (day > share.last) share.last = day;
  }
  return { shares, invalid: verdicts.length - valid.length };
}

/** What a run fills until its signal is aborted. */
interface Collected {
  verdicts: Verdict[];
  /** What was detected about the files. */
  notes: Text[];
  signal: AbortSignal;
}

async function collect(
  io: ProgramIo,
  appliance: Appliance,
  mode: Mode,
  options: BatchOptions,
  { verdicts, notes, signal }: Collected,
): Promise<void> {
  const { dryRun, files } = options;
  const size = await sizeOf(io, files);
  let bytesRead = 0;
  const reading: Reading = {
    ...options,
    today: appliance.clock.today(),
    signal,
    note: (text) => void notes.push(text),
    onBytes(bytes) {
      bytesRead += bytes;
    },
  };
  async function* items(): AsyncGenerator<BatchItem> {
    for (const file of files) yield* readItems(io, file, reading);
  }
  const label = dryRun ? { en: "checking", el: "έλεγχος" } : { en: "accepting", el: "αποδοχή" };
  try {
    await withProgress(io, label, async (progress) => {
      for await (const verdict of (dryRun ? checkItems : acceptItems)(appliance, mode, items(), signal)) {
        verdicts.push(verdict);
        progress.update(verdicts.length, undefined, size === undefined ? undefined : bytesRead / size);
      }
    });
  } catch (error) {
    // The abort that stopped the reading is not an error.
    if (error !== signal.reason) throw error;
  }
}

/** The total size of the files; undefined if one is standard input. */
async function sizeOf(io: ProgramIo, files: readonly string[]): Promise<number | undefined> {
  if (files.includes("-")) return undefined;
  let size = 0;
  for (const file of files) size += (await stat(resolve(io.cwd, file))).size;
  return size === 0 ? undefined : size;
}

/** The ids of the documents that were accepted, in this run or before. */
function idsOf(verdicts: readonly Verdict[]): Set<string> {
  return new Set(verdicts.flatMap((verdict) => ("id" in verdict ? [verdict.id] : [])));
}
