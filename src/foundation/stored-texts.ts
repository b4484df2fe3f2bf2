/**
 * Errors and warnings are stored in both languages, and the API sends the English only. Reading one from storage gives the
 * plain object of the API and keeps its Greek out of JSON, so that command line and console can show it but no response contains it.
 */
import type { ErrorObject } from "./errors.ts";
import { sameInBoth, type Text } from "./text.ts";

const greekMessages = new WeakMap<object, string>();

/** The API's object of a stored error, with the fields that it was stored with. */
export function wireError<Stored extends Pick<ErrorObject, "message" | "message_el">>({
  message_el: greek,
  ...error
}: Stored): Omit<Stored, "message_el"> {
  if (greek !== undefined) greekMessages.set(error, greek);
  return error;
}

/** The message of an error in both languages: of an outcome, or as `wireError` returned it. English where there is no Greek. */
export function textOfError(error: Pick<ErrorObject, "message" | "message_el">): Text {
  const { message, message_el: greek = greekMessages.get(error) ?? message } = error;
  return { en: message, el: greek };
}

/** One that holds for a line has its number beside the text, so that people read it once for all lines with the same text. */
export interface Warning extends Text {
  readonly line?: number;
}

/** Not in the JSON. A WeakMap would keep them of every document until the whole heap is collected. */
const TEXTS = Symbol("texts");

/** The API's list of `warnings`, which names each line. */
export function wireWarnings(warnings: readonly Warning[]): string[] {
  const english = warnings.map((warning) => joinLines([warning]).en);
  return Object.defineProperty(english, TEXTS, { value: warnings });
}

/** The warnings for people of a list that `wireWarnings` returned. */
export function textsOfWarnings(warnings: readonly string[]): readonly Text[] {
  const { [TEXTS]: texts } = warnings as { [TEXTS]?: readonly Warning[] };
  return joinWarnings(texts ?? warnings.map(sameInBoth));
}

/** One text for all lines with the same warning, in the place of the first. */
export function joinWarnings(warnings: readonly Warning[]): Text[] {
  const alike = Map.groupBy(warnings, ({ en, line }) => (line === undefined ? en : `line: ${en}`));
  return [...alike.values()].map(joinLines);
}

function joinLines(alike: readonly Warning[]): Text {
  const [first] = alike as [Warning];
  const { en, el, line } = first;
  if (line === undefined) return first;
  const lines = alike.map((warning) => warning.line).join(", ");
  return alike.length === 1
    ? { en: `line ${lines}: ${en}`, el: `γραμμή ${lines}: ${el}` }
    : { en: `lines ${lines}: ${en}`, el: `γραμμές ${lines}: ${el}` };
}
