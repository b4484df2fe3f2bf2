/** Reads files of strangers in a thread of its own, which begins in src/file-jobs.ts, so that neither their size nor form holds this one up. */
import { on } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { AppError } from "./errors.ts";
import { createTurns, type Refusal, takeTurn, type Turns } from "./turns.ts";
import type { Text } from "./text.ts";

/** A job, with what the thread needs for it. */
export type FileJob =
  | { job: "workbook"; bytes: Buffer; sheet: string | undefined }
  | { job: "logo"; bytes: Buffer };

/** What the thread sends: parts of the result, then how it ended. */
export type FileMessage = { part: unknown } | { problem: Text } | { done: true };

/** Of the thread's heap. A workbook that unpacks to 64 MB takes about 500. */
const HEAP_MB_MAX = 1024;
/** A workbook of the largest size takes several seconds of a slow processor. */
const MS_MAX = 60_000;

/** Files in memory, of at most 16 MB each, that wait for their thread. */
const WAITING_MAX = 8;
const WAIT_MS = 30_000;
const ONE_AT_A_TIME = { max: 1, waitingMax: WAITING_MAX, waitMs: WAIT_MS };

/** One thread of each kind: files sent often must not fill the memory, nor logos, which anybody with a key sends, stop workbooks. */
const TURNS: Readonly<Record<FileJob["job"], Turns>> = {
  workbook: createTurns(ONE_AT_A_TIME),
  logo: createTurns(ONE_AT_A_TIME),
};

const TOO_MANY: Refusal = {
  text: {
    en: "Too many other files are being read; try again in a minute",
    el: "Διαβάζονται ήδη πολλά άλλα αρχεία· δοκιμάστε ξανά σε ένα λεπτό",
  },
  retryAfterSeconds: 60,
};
const TOO_MUCH: Text = {
  en: "The file takes too much memory or time to read; save it again, or use a smaller one",
  el: "Η ανάγνωση του αρχείου απαιτεί πολλή μνήμη ή πολύ χρόνο· αποθηκεύστε το ξανά ή χρησιμοποιήστε μικρότερο",
};

/**
 * Yields what the job yields. Throws `validation_failed` for a file that is refused, or takes more memory or time than it may, and
 * `service_unavailable` while many others are read.
 */
export async function* readInThread(job: FileJob): AsyncGenerator<unknown> {
  const endTurn = await takeTurn(TURNS[job.job], TOO_MANY);
  try {
    yield* runThread(job);
  } finally {
    endTurn();
  }
}

async function* runThread(job: FileJob): AsyncGenerator<unknown> {
  const worker = new Worker(threadFile(), {
    workerData: job,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
  });
  try {
    const messages = on(worker, "message", { close: ["exit"], signal: AbortSignal.timeout(MS_MAX) });
    for await (const [message] of messages as AsyncIterable<[FileMessage]>) {
      if ("done" in message) return;
      if ("problem" in message) throw new AppError("validation_failed", message.problem);
      yield message.part;
    }
    throw new Error("The thread that reads files ended without a result");
  } catch (error) {
    throw isTooMuch(error) ? new AppError("validation_failed", TOO_MUCH, { cause: error }) : error;
  } finally {
    await worker.terminate();
  }
}

function isTooMuch(error: unknown): boolean {
  const { code, name } = error as NodeJS.ErrnoException;
  return code === "ERR_WORKER_OUT_OF_MEMORY" || name === "AbortError";
}

/** Beside the built program, or the source itself. */
function threadFile(): string {
  const isBuilt = !import.meta.filename.endsWith(".ts");
  return join(import.meta.dirname, "..", isBuilt ? "file-jobs.mjs" : "file-jobs.ts");
}
