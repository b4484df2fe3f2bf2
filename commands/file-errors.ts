/** Names the file in an error of the operating system, and says what to do about it. */
import { explainSystemError } from "../src/foundation/system.ts";
import type { Text } from "../src/foundation/text.ts";
import { OutputError, UsageError } from "./exit.ts";

/**
 * Turns an error of the operating system into one that names the file: a usage error, unless the disk is full. Returns other errors
 * unchanged.
 */
export function describeFileError(error: unknown, file: string): unknown {
  if (!isSystemError(error)) return error;
  if (FULL_CODES.has(error.code)) return new OutputError(error, file);
  const reason = REASONS[error.code] ?? explainSystemError(error);
  return new UsageError(
    {
      en: `${file} cannot be used: ${reason.en}`,
      el: `το ${file} δεν μπορεί να χρησιμοποιηθεί: ${reason.el}`,
    },
    { cause: error },
  );
}

const FULL_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/** Of a file that a person named. */
const REASONS: Record<string, Text> = {
  ENOENT: { en: "there is no such file or folder", el: "δεν υπάρχει τέτοιο αρχείο ή φάκελος" },
  EISDIR: { en: "it is a folder", el: "είναι φάκελος" },
};

/** Whether an error comes from the operating system. */
export function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
}
