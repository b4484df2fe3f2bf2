/** What a check of `fiscal doctor` finds, and what it is given to look at. */
import type { Inspection } from "../../../storage/inspection.ts";
import type { Mode } from "../../../storage/stored-values.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Config } from "../../config/config.ts";

/** `notice`: worth knowing, and may wait. `problem`: needs a person. */
export type Severity = "ok" | "notice" | "problem";

export interface Finding {
  check: string;
  severity: Severity;
  /** What it is. No secret, no personal data. */
  message: string;
  /** What to do: a whole command where there is one. Null where there is nothing to do. */
  next_step: string | null;
  /** The mode that it is about; null where it is about both. */
  mode: Mode | null;
  /** Ids of what it is about, the first few. */
  subjects: string[];
}

export interface Patient {
  config: Config;
  clock: Clock;
  /** A command line that the person can run as it is: `fiscal --live documents retry …` for `live`. */
  command(mode: Mode | null, words: string): string;
  /** Whether servers may be asked for the time. */
  online: boolean;
}

/** A patient whose database can be read. */
export interface OpenPatient extends Patient {
  inspection: Inspection;
}

/** How many ids a finding names. */
const SUBJECTS_SHOWN_MAX = 10;

interface Details {
  next?: string | undefined;
  mode?: Mode | undefined;
  subjects?: readonly string[] | undefined;
}

/** Findings of the check `name`. */
export function findingsOf(name: string) {
  const of =
    (severity: Severity) =>
    (message: string, details: Details = {}): Finding => ({
      check: name,
      severity,
      message,
      next_step: details.next ?? null,
      mode: details.mode ?? null,
      subjects: (details.subjects ?? []).slice(0, SUBJECTS_SHOWN_MAX),
    });
  return { ok: of("ok"), notice: of("notice"), problem: of("problem") };
}

/** `findings`, or where there is none the one that says that all is well. */
export function orOk(findings: readonly Finding[], ok: Finding): Finding[] {
  return findings.length === 0 ? [ok] : [...findings];
}

/** `1 document`, `12 documents`; `1000 documents or more` where no more than `max` were looked at. */
export function counted(count: number, noun: string, max = Number.POSITIVE_INFINITY): string {
  const words = `${count} ${noun}${count === 1 ? "" : "s"}`;
  return count >= max ? `${words} or more` : words;
}
