/** The address of the PostgreSQL database, if the configuration names one (docs/contract.md#several-machines). */
import { readFileSync } from "node:fs";
import { codeOf } from "../../storage/database/system-errors.ts";
import { ConfigurationError } from "../foundation/errors.ts";
import { firstLineOf } from "../foundation/trusted-file.ts";
import { joinTexts, type Text } from "../foundation/text.ts";

/** The part of the configuration that says where everything is stored. */
interface StorageSettings {
  readonly url: string;
  /** Absolute path; empty if there is none. */
  readonly urlFile: string;
}

/** As `Config` has it. */
interface LocatedStorage extends StorageSettings {
  readonly addressSource: Text | null;
}

/** What is wrong with the database, after the setting with the address of its server and where that is set. */
export function atAddress({ addressSource }: LocatedStorage, problem: Text): Text {
  return addressSource === null ? problem : joinTexts([addressSource, problem], ": ");
}

/** Whether everything is stored in PostgreSQL. */
export function usesPostgres({ url, urlFile }: StorageSettings): boolean {
  return url !== "" || urlFile !== "";
}

/** The address, which may contain a password; undefined with a database file. Throws ConfigurationError. */
export function readDatabaseUrl(storage: LocatedStorage): string | undefined {
  const { url, urlFile } = storage;
  if (urlFile === "") return url === "" ? undefined : url;
  try {
    return addressIn(readFileSync(urlFile, "utf8"));
  } catch (error) {
    const code = codeOf(error) ?? "";
    throw new ConfigurationError(
      atAddress(storage, {
        en: `The file ${urlFile} cannot be read (${code})`,
        el: `Το αρχείο ${urlFile} δεν διαβάζεται (${code})`,
      }),
      { cause: error },
    );
  }
}

/** The address in the text of a file: its first line. */
export function addressIn(text: string): string {
  return firstLineOf(text).trim();
}

const POINT_IN_TIME: Text = {
  en: "use pg_dump, or the point-in-time recovery of the database server (docs/postgres.md)",
  el: "χρησιμοποιήστε το pg_dump ή την επαναφορά σε χρονική στιγμή του διακομιστή της βάσης (docs/postgres.md)",
};

/** Throws ConfigurationError if there is no database file, for what only a file supports. `subject` begins the sentence. */
export function requireDatabaseFile(storage: StorageSettings, subject: Text): void {
  if (!usesPostgres(storage)) return;
  throw new ConfigurationError({
    en: `${subject.en} needs a database file, but storage.url names PostgreSQL: ${POINT_IN_TIME.en}`,
    el: `${subject.el} χρειάζεται αρχείο βάσης, αλλά το storage.url ορίζει PostgreSQL: ${POINT_IN_TIME.el}`,
  });
}
