/** Reads the password of the mail server from the first line of its file. */
import { readFile } from "node:fs/promises";
import { codeOf } from "../../storage/database/system-errors.ts";
import { ConfigurationError } from "../foundation/errors.ts";
import { firstLineOf } from "../foundation/first-line.ts";

/** Throws ConfigurationError, which never contains the content of the file. */
export async function readMailPassword(file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const code = codeOf(error) ?? "";
    throw new ConfigurationError(
      {
        en: `The file of mail.password_file, ${file}, cannot be read (${code})`,
        el: `Το αρχείο του mail.password_file, ${file}, δεν διαβάζεται (${code})`,
      },
      { cause: error },
    );
  }
  return firstLineOf(text);
}
