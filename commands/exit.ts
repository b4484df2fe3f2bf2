/** From an error to an exit code and to what the person at the terminal reads: decided here and nowhere else. */
import {
  AppError,
  buildErrorObject,
  ConfigurationError,
  type ErrorCode,
  type ErrorObject,
} from "../src/foundation/errors.ts";
import { isStorageFailure, StorageError } from "../storage/errors.ts";
import { type Text, textOf } from "../src/foundation/text.ts";
import { inMannersOf, type Manners } from "./io.ts";
import { printableLines } from "./ui/printable.ts";

/** decisions 13, Exit. */
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

/** The command line itself is wrong: an unknown word, a missing flag, a value that does not fit. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly text: Text;

  constructor(message: Text | string, options?: ErrorOptions) {
    const text = textOf(message);
    super(text.en, options);
    this.text = text;
  }
}

/** The person stopped it. The message says what was done until then and how to go on. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
  readonly text: Text;

  constructor(message: Text | string, options?: ErrorOptions) {
    const text = textOf(message);
    super(text.en, options);
    this.text = text;
  }
}

/** Codes that have an exit code of their own; of the others, the retryable are `unavailable` and the rest `failure`. */
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

/** The exit code for an error object: that of a failed command, or of a document that ended with it. */
export function exitOfErrorObject(error: Pick<ErrorObject, "code" | "retryable">): ExitCode {
  return EXIT_OF_CODE[error.code] ?? (error.retryable ? EXIT.unavailable : EXIT.failure);
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof AppError) return exitOfErrorObject(error);
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof InterruptedError) return EXIT.interrupted;
  if (isConfigurationFailure(error)) return EXIT.configuration;
  return EXIT.failure;
}

function isConfigurationFailure(error: unknown): boolean {
  return error instanceof ConfigurationError || error instanceof StorageError || isStorageFailure(error);
}

/** The error as `--json` prints it on stderr: the API's error object. What the API has no code for is `internal_error`. */
export function errorObjectOf(error: unknown): ErrorObject {
  if (error instanceof AppError) return error.toObject();
  const code = error instanceof UsageError ? "validation_failed" : "internal_error";
  return buildErrorObject(code, messageOf(error));
}

/** The error as a person reads it, in `language`: one line, and where there is one, a line with the next step. */
export function errorTextOf(
  error: unknown,
  manners: Pick<Manners, "language" | "catalogue"> = { language: "en" },
  asked: Asked = {},
): string {
  const hint = hintFor(error, asked);
  const next = hint === undefined ? "" : `${inMannersOf(manners, hint)}\n`;
  return `fiscal: ${printableLines(inMannersOf(manners, textOfError(error)))}\n${next}`;
}

function textOfError(error: unknown): Text | string {
  const isWritten =
    error instanceof AppError ||
    error instanceof ConfigurationError ||
    error instanceof StorageError ||
    error instanceof UsageError ||
    error instanceof InterruptedError;
  return isWritten ? error.text : messageOf(error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What was asked for when it failed, as far as the command line could be read. */
export interface Asked {
  /** The noun, where it has a verb that lists what there is. */
  listed?: string | undefined;
  isLive?: boolean | undefined;
}

function hintFor(error: unknown, { listed, isLive }: Asked): Text | undefined {
  if (error instanceof UsageError)
    return { en: "Add --help to see how it is used.", el: "Προσθέστε --help για να δείτε τη χρήση." };
  if (!(error instanceof AppError)) return undefined;
  if (error.code === "not_found") {
    // The message says itself where to look.
    if (error.message.includes("`fiscal ")) return undefined;
    if (listed === undefined)
      return {
        en: "Use `list` to find it. Add or remove --live to look in the other mode.",
        el: "Αναζητήστε το με `list`· ό,τι ανήκει στην άλλη λειτουργία φαίνεται με ή χωρίς --live.",
      };
    return isLive === true
      ? {
          en: `\`fiscal --live ${listed} list\` lists what exists. Omit --live to look in test mode.`,
          el: `Η \`fiscal --live ${listed} list\` δείχνει τι υπάρχει· ό,τι είναι δοκιμαστικό φαίνεται χωρίς --live.`,
        }
      : {
          en: `\`fiscal ${listed} list\` lists what exists. Add --live to look in live mode.`,
          el: `Η \`fiscal ${listed} list\` δείχνει τι υπάρχει· ό,τι είναι παραγωγικό φαίνεται με --live.`,
        };
  }
  if (exitOfErrorObject(error) === EXIT.unavailable)
    return {
      en: "Run the same command again: nothing is issued twice.",
      el: "Δοκιμάστε ξανά την ίδια εντολή: τίποτα δεν εκδίδεται δύο φορές.",
    };
  return undefined;
}
