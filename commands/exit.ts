/** Maps errors to exit codes and to the message that is printed. */
import {
  AppError,
  buildErrorObject,
  ConfigurationError,
  type ErrorCode,
  type ErrorObject,
} from "../src/foundation/errors.ts";
import { explainSystemError, isStorageFailure, StorageError } from "../src/foundation/system.ts";
import { type Language, sameInBoth, type Text } from "../src/foundation/text.ts";
import type { DocumentObject } from "../src/journal/document-object.ts";
import { withCommand } from "./next-steps.ts";
import { printableLines } from "../src/foundation/characters.ts";

/** docs/contract.md#exit-codes */
export const EXIT = {
  done: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  unavailable: 5,
  configuration: 78,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error whose message is for the person at the terminal. */
class WrittenError extends Error {
  readonly text: Text;

  constructor(text: Text, options?: ErrorOptions) {
    super(text.en, options);
    this.text = text;
  }
}

/** The command line is wrong: an unknown word, a missing flag, an invalid value. */
export class UsageError extends WrittenError {
  override readonly name = "UsageError";
}

/** The user interrupted the command. The message says what was done and how to continue. */
export class InterruptedError extends WrittenError {
  override readonly name = "InterruptedError";
}

/** `file`, or else stdout or stderr, cannot be written: its disk is full, or its terminal or reader is gone. */
export class OutputError extends WrittenError {
  override readonly name = "OutputError";

  constructor(cause: unknown, file?: string) {
    const { en, el } = explainSystemError(cause);
    const text = {
      en: `${file ?? "The output"} cannot be written: ${en}`,
      el: `${file === undefined ? "Η έξοδος" : `το ${file}`} δεν μπορεί να γραφτεί: ${el}`,
    };
    super(text, { cause });
  }
}

/** Error codes with their own exit code. Of the others, retryable ones become `unavailable` and the rest `failure`. */
const EXIT_OF_CODE: Partial<Record<ErrorCode, ExitCode>> = {
  validation_failed: EXIT.usage,
  payload_too_large: EXIT.usage,
  unsupported_media_type: EXIT.usage,
  not_found: EXIT.notFound,
  provider_rejected: EXIT.refused,
  provider_credentials_invalid: EXIT.refused,
  regime_mismatch: EXIT.refused,
  balance_exceeded: EXIT.refused,
};

/** The exit code for an error object, whether a command or a document failed with it. */
export function exitOfErrorObject(error: Pick<ErrorObject, "code" | "retryable">): ExitCode {
  return EXIT_OF_CODE[error.code] ?? (error.retryable ? EXIT.unavailable : EXIT.failure);
}

/** The exit code of a command that sends one document (docs/contract.md#exit-codes). */
export function exitOfDocument(
  { status }: Pick<DocumentObject, "status">,
  hasWaited: boolean | undefined,
): ExitCode {
  if (status === "rejected") return EXIT.refused;
  if (status === "failed") return EXIT.unavailable;
  return status === "pending" && hasWaited === true ? EXIT.unavailable : EXIT.done;
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof AppError) return exitOfErrorObject(error);
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof InterruptedError) return EXIT.interrupted;
  if (isConfigurationError(error) || isStorageFailure(error)) return EXIT.configuration;
  return EXIT.failure;
}

function isConfigurationError(error: unknown): error is ConfigurationError | StorageError {
  return error instanceof ConfigurationError || error instanceof StorageError;
}

/** The API's error object, as `--json` prints it to stderr; `internal_error` if the API has no code for the error. */
export function errorObjectOf(error: unknown): ErrorObject {
  if (error instanceof AppError) return { ...error.toObject(), message: withCommand(error.text).en };
  const code = error instanceof UsageError ? "validation_failed" : "internal_error";
  return buildErrorObject(code, sameInBoth(withCommand(textOfError(error)).en));
}

/** The error for people: one line, and a second one with the next step if there is one. `listed` is the noun, if it has a verb `list`. */
export function errorTextOf(error: unknown, language: Language = "en", listed?: string): string {
  const hint = hintFor(error, listed);
  const next = hint === undefined ? "" : `${hint[language]}\n`;
  return `fiscal: ${printableLines(withCommand(textOfError(error))[language])}\n${next}`;
}

function textOfError(error: unknown): Text {
  if (error instanceof AppError || error instanceof WrittenError || isConfigurationError(error))
    return error.text;
  return sameInBoth(error instanceof Error ? error.message : String(error));
}

function hintFor(error: unknown, listed: string | undefined): Text | undefined {
  if (error instanceof UsageError)
    return { en: "Add --help to see how it is used.", el: "Προσθέστε --help για να δείτε τη χρήση." };
  if (!(error instanceof AppError) || error.text.next !== undefined) return undefined;
  if (error.code === "not_found") {
    if (listed === undefined) return undefined;
    const list = `fiscal ${listed} list`;
    return {
      en: `Use \`${list}\` to find it. Add or remove --live to look in the other mode.`,
      el: `Αναζητήστε το με \`${list}\`· ό,τι ανήκει στην άλλη λειτουργία φαίνεται με ή χωρίς --live.`,
    };
  }
  if (exitOfErrorObject(error) !== EXIT.unavailable) return undefined;
  return {
    en: "Try the same command again later: nothing is issued twice.",
    el: "Δοκιμάστε ξανά την ίδια εντολή αργότερα: τίποτα δεν εκδίδεται δύο φορές.",
  };
}
