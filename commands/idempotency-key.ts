/** The `--idempotency-key` flag of commands that create something through an operation of the API. */
import { fingerprint } from "../src/journal/idempotency.ts";
import type { IdempotencyUse } from "../src/journal/context.ts";
import { UsageError } from "./exit.ts";
import { type ProgramIo, printNote } from "./io.ts";
import type { Flags } from "./define.ts";

/** docs/contract.md#idempotency-keys */
const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

export const IDEMPOTENCY_KEY: Flags = {
  "--idempotency-key <key>": {
    en: "a second run with the same key creates nothing and prints the first result",
    el: "δεύτερη εκτέλεση με το ίδιο κλειδί δεν δημιουργεί τίποτα και τυπώνει το πρώτο αποτέλεσμα",
    read: () => readKey,
  },
};

function readKey(key: string): string {
  if (KEY_FORM.test(key)) return key;
  throw new UsageError({
    en: "--idempotency-key takes 1 to 255 printable ASCII characters without spaces",
    el: "η --idempotency-key δέχεται 1 έως 255 εκτυπώσιμους χαρακτήρες ASCII χωρίς κενά",
  });
}

/** The use of a key that the API's `operation` would make for the same request, so that either creates it only once. */
export function useOfKey(
  operation: string,
  key: string | undefined,
  parameters: Record<string, string>,
  body: unknown,
): IdempotencyUse | undefined {
  return key === undefined ? undefined : { operation, key, fingerprint: fingerprint(parameters, body) };
}

export function printReplayed(io: ProgramIo): Promise<void> {
  return printNote(io, {
    en: "It was created with this idempotency key before; this is the result of that run.",
    el: "Δημιουργήθηκε ήδη με αυτό το κλειδί· αυτό είναι το αποτέλεσμα εκείνης της εκτέλεσης.",
  });
}
