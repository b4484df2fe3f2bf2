/**
 * Runs a server's scheduled backups and checks as commands of their own, because reading every page of a large database takes
 * seconds, during which the server could not respond.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Alerting } from "../../src/upkeep/alerts.ts";
import type { Finding } from "../../src/upkeep/doctor/doctor-finding.ts";
import type { GlobalOptions } from "../context.ts";
import { EXIT } from "../exit.ts";
import type { ProgramIo } from "../io.ts";
import type { PrintedDiagnosis } from "./doctor.ts";

/** Of a command: where it runs, and the options that name the configuration and the data. */
interface Place {
  io: Pick<ProgramIo, "cwd" | "env" | "packageRoot">;
  options: Pick<GlobalOptions, "config" | "dataDir">;
}

/** The reason of a failure is at the end of the output. */
const REASON_CHARACTERS_MAX = 1000;

/** Returns a function that runs `fiscal backup` in the same place and rejects with its output on failure. */
export function createBackupRunner(place: Place): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    const { code, stderr } = await runHere(place, ["backup"], signal);
    const reason = stderr.slice(-REASON_CHARACTERS_MAX).trim();
    if (code !== EXIT.done) throw new Error(reason || `the backup ended with ${code ?? "a signal"}`);
  };
}

/** Returns a function that runs `fiscal doctor` in the same place and rejects if it cannot check. */
export function createDoctorRunner(place: Place): Alerting["diagnose"] {
  return async (signal, { deep }) => {
    const { code, stdout } = await runHere(place, ["doctor", "--json", ...(deep ? ["--deep"] : [])], signal);
    // Anything else means that it could not check.
    if (code !== EXIT.done && code !== EXIT.failure)
      throw new Error(`doctor ended with ${code ?? "a signal"}`);
    return (JSON.parse(stdout) as PrintedDiagnosis).findings.map(toFinding);
  };
}

/** The exit code is null after a signal. */
async function runHere({ io, options }: Place, words: readonly string[], signal: AbortSignal) {
  const { config, dataDir } = options;
  const args = [
    join(io.packageRoot, "bin", "fiscal.js"),
    ...(config === undefined ? [] : ["--config", config]),
    ...(dataDir === undefined ? [] : ["--data-dir", dataDir]),
    ...words,
  ];
  const child = spawn(process.execPath, args, {
    cwd: io.cwd,
    env: { ...io.env },
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...output };
}

function toFinding(printed: PrintedDiagnosis["findings"][number]): Finding {
  const { message, message_el, next_step, next_step_el, ...rest } = printed;
  return {
    ...rest,
    message: { en: message, el: message_el },
    next_step: next_step === null || next_step_el === null ? null : { en: next_step, el: next_step_el },
  };
}
