/**
 * Runs `doctor` for a server in a separate process, because checking a large database takes seconds, during which the server could
 * not respond.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Alerting } from "../../src/upkeep/alerts.ts";
import type { Finding } from "../../src/upkeep/doctor/doctor-finding.ts";
import { EXIT } from "../exit.ts";
import type { GlobalOptions } from "../context.ts";
import type { ProgramIo } from "../io.ts";
import type { BilingualDiagnosis } from "./doctor.ts";

/** Of a command: where it runs, and the options that name the configuration and the data. */
interface Place {
  io: Pick<ProgramIo, "cwd" | "env" | "packageRoot">;
  options: Pick<GlobalOptions, "config" | "dataDir">;
}

/** Returns a function that runs `fiscal doctor` in the same place and rejects if it cannot check. */
export function createDoctorRunner({ io, options }: Place): Alerting["diagnose"] {
  const { config, dataDir } = options;
  const args = [
    join(io.packageRoot, "bin", "fiscal.js"),
    ...(config === undefined ? [] : ["--config", config]),
    ...(dataDir === undefined ? [] : ["--data-dir", dataDir]),
    "doctor",
    "--json",
  ];
  return async (signal, { deep }) => {
    const child = spawn(process.execPath, [...args, ...(deep ? ["--deep"] : [])], {
      cwd: io.cwd,
      env: { ...io.env },
      stdio: ["ignore", "pipe", "ignore"],
      signal,
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    const [code] = (await once(child, "close")) as [number | null];
    // Anything else means that it could not check.
    if (code !== EXIT.done && code !== EXIT.failure)
      throw new Error(`doctor ended with ${code ?? "a signal"}`);
    return (JSON.parse(output) as BilingualDiagnosis).findings.map(toFinding);
  };
}

function toFinding(printed: BilingualDiagnosis["findings"][number]): Finding {
  const { message, message_el, next_step, next_step_el, ...rest } = printed;
  return {
    ...rest,
    message: { en: message, el: message_el },
    next_step: next_step === null || next_step_el === null ? null : { en: next_step, el: next_step_el },
  };
}
