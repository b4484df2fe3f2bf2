/** Reads the passphrase of encrypted backups from the first line of a file, so that it never appears in a shell history. */
import { readFile } from "node:fs/promises";
import { ConfigurationError } from "../../foundation/errors.ts";
import { firstLineOf } from "../../foundation/first-line.ts";
import { explainUnreadable } from "./backup-files.ts";

/** Shorter passphrases can be guessed. */
const CHARACTERS_MIN = 8;

/** Throws ConfigurationError, which never contains the content of the file. */
export async function readPassphrase(file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const { en, el } = explainUnreadable(error);
    throw new ConfigurationError(
      {
        en: `The passphrase file ${file} cannot be read: ${en}`,
        el: `Το αρχείο του συνθηματικού ${file} δεν διαβάζεται: ${el}`,
      },
      { cause: error },
    );
  }
  const line = firstLineOf(text);
  if ([...line].length >= CHARACTERS_MIN) return line;
  throw new ConfigurationError({
    en: `The first line of the passphrase file ${file} must have at least ${CHARACTERS_MIN} characters`,
    el: `Η πρώτη γραμμή του αρχείου συνθηματικού ${file} πρέπει να έχει τουλάχιστον ${CHARACTERS_MIN} χαρακτήρες`,
  });
}
