/** The input and the findings of a check of `fiscal doctor`, with functions to build findings. */
import type { Inspection } from "../../../storage/database/store.ts";
import type { FileInspection } from "../../../storage/sqlite/inspection.ts";
import type { Mode } from "../../../storage/stored-values.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Config } from "../../config/config.ts";
import { type StepName, type Text, toText } from "../../foundation/text.ts";

/** `notice`: worth knowing but not urgent. `problem`: needs attention. */
export type Severity = "ok" | "notice" | "problem";

export interface Finding {
  check: string;
  severity: Severity;
  /** Contains no secret and no personal data. */
  message: Text;
  /** What to do, with the whole command where there is one; null if there is nothing to do. */
  next_step: Text | null;
  /** The mode that it concerns; null if it concerns both. */
  mode: Mode | null;
  subjects: string[];
}

export interface CheckInput {
  config: Config;
  clock: Clock;
  /** How `operation` is run for the object `id`, in `mode`, so that it can be done as it is said: a whole command line. */
  command(mode: Mode | null, operation: StepName, id?: string): string;
  online: boolean;
  deep: boolean;
}

export interface TableCheckInput extends CheckInput {
  inspection: Inspection;
}

export interface FileCheckInput extends CheckInput {
  inspection: FileInspection;
}

const SUBJECTS_SHOWN_MAX = 10;

/** What a check finds. The name of the check is added when it runs. */
export type Found = Omit<Finding, "check">;

/** A row of the table of checks. */
export interface Check<Input> {
  name: string;
  /** Yields what the check found; nothing without problems. */
  find(input: Input): Iterable<Found> | AsyncIterable<Found>;
  /** Reported if it finds nothing. */
  ok?: Text | ((input: Input) => Text);
}

const of =
  (severity: Severity) =>
  /** A string as the next step is a command, which is the same in both languages. */
  (
    message: Text,
    next?: Text | string,
    { mode = null, subjects = [] }: { mode?: Mode | null; subjects?: readonly string[] } = {},
  ): Found => ({
    severity,
    message,
    next_step: next === undefined ? null : toText(next),
    mode,
    subjects: subjects.slice(0, SUBJECTS_SHOWN_MAX),
  });

export const ok = of("ok");
export const notice = of("notice");
export const problem = of("problem");

/** A noun in both languages, for one and for many. */
export interface Noun {
  one: Text;
  many: Text;
}

/** `1 document`, `12 documents`; `1000 documents or more` if only `max` were counted. */
export function counted(count: number, noun: Noun, max = Number.POSITIVE_INFINITY): Text {
  const { en, el } = count === 1 ? noun.one : noun.many;
  const isMore = count >= max;
  return {
    en: `${count} ${en}${isMore ? " or more" : ""}`,
    el: `${count} ${el}${isMore ? " ή περισσότερα" : ""}`,
  };
}

export function documentsIn(mode: Mode): Noun {
  return {
    one: { en: `${mode} document`, el: `παραστατικό (${mode})` },
    many: { en: `${mode} documents`, el: `παραστατικά (${mode})` },
  };
}

/** Ends an error's text with a full stop. */
export function sentence(text: Text): Text {
  return { ...text, en: `${text.en}.`, el: `${text.el}.` };
}
