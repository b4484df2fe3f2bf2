/** The passphrase of encrypted backups: the first line of a file, so that it stands in no shell's history. */
import { readFile } from "node:fs/promises";
import { codeOf } from "../../../storage/system-errors.ts";
import { ConfigurationError } from "../../foundation/errors.ts";

/** Shorter ones are found by trying. */
const CHARACTERS_MIN = 8;

/** Throws ConfigurationError that names the file, never what is in it. */
export async function readPassphrase(file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const reason = codeOf(error) === "ENOENT" ? "there is no such file" : (codeOf(error) ?? String(error));
    throw new ConfigurationError(`The passphrase file ${file} cannot be read: ${reason}`, { cause: error });
  }
  const [line = ""] = text.replace(/^\uFEFF/, "").split(/\r?\n/, 1);
  if ([...line].length >= CHARACTERS_MIN) return line;
  throw new ConfigurationError(
    `The first line of the passphrase file ${file} must have at least ${CHARACTERS_MIN} characters`,
  );
}
