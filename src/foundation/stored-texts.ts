/**
 * Errors and warnings are stored in both languages, and the API sends the English only. Reading one from storage gives the
 * plain object of the API and keeps its Greek here, so that command line and console can show it but no response contains it.
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

const warningTexts = new WeakMap<readonly string[], readonly Text[]>();

/** The API's list of `warnings`. */
export function wireWarnings(warnings: readonly Text[]): string[] {
  const english = warnings.map(({ en }) => en);
  warningTexts.set(english, warnings);
  return english;
}

/** The warnings in both languages of a list that `wireWarnings` returned. */
export function textsOfWarnings(warnings: readonly string[]): readonly Text[] {
  return warningTexts.get(warnings) ?? warnings.map(sameInBoth);
}
