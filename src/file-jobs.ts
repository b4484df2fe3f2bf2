/** The thread that reads files of strangers (foundation/file-thread.ts): each job turns a file into plain values. */
import { parentPort, workerData } from "node:worker_threads";
import { AppError } from "./foundation/errors.ts";
import type { FileJob, FileMessage } from "./foundation/file-thread.ts";
import { readCells } from "./intake/workbook-cells.ts";
import { cleanLogo } from "./merchants/clean-logo.ts";

async function* run(job: FileJob): AsyncGenerator<unknown> {
  if (job.job === "workbook") yield* readCells(bufferOf(job.bytes), job.sheet);
  else yield cleanLogo(bufferOf(job.bytes));
}

/** A buffer arrives as plain bytes. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function send(message: FileMessage): void {
  parentPort?.postMessage(message);
}

try {
  for await (const part of run(workerData as FileJob)) send({ part });
  send({ done: true });
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  send({ problem: error.text });
}
