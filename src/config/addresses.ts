/** The addresses in the configuration: of the PostgreSQL database (docs/contract.md#several-machines) and of the server. */
import { readFileSync } from "node:fs";
import { codeOf } from "../../storage/database/errors.ts";
import { ConfigurationError, orUnusable } from "../foundation/errors.ts";
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
  return orUnusable(
    () => addressIn(readFileSync(urlFile, "utf8")),
    (error) =>
      atAddress(storage, {
        en: `The file ${urlFile} cannot be read (${codeOf(error)})`,
        el: `Το αρχείο ${urlFile} δεν διαβάζεται (${codeOf(error)})`,
      }),
  );
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

/** The loopback address for each address that means every interface. */
const LOOPBACK_OF: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** The address at which this machine reaches a server that listens on `host`. */
export function reachedAt(host: string): string {
  return LOOPBACK_OF[host] ?? host;
}

/** `host` means every interface of this machine. */
export function isEveryInterface(host: string): boolean {
  return Object.hasOwn(LOOPBACK_OF, host);
}

/** `host` without the brackets of an IPv6 address in a URL. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

/** `[::1]:8787`; `host` without brackets. */
export function writtenPlace(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** A URL that a browser can open, which `http://0.0.0.0` is not. `host` may have brackets. */
export function linkUrlOf({ host, port, isTls }: { host: string; port: number; isTls: boolean }): string {
  return `${isTls ? "https" : "http"}://${writtenPlace(reachedAt(bareHost(host)), port)}`;
}

/** `sun_path` has 108 bytes in Linux's unix(7) and 104 in macOS's unix(4), including the final zero. Longer paths are silently cut. */
const PATH_BYTES_MAX = process.platform === "darwin" ? 103 : 107;

/** Throws ConfigurationError for a path that is too long, or on Windows. */
export function requireSocketPath(path: string): void {
  if (process.platform === "win32")
    throw new ConfigurationError({
      en: "server.socket is for Linux and macOS; use server.host and server.port here",
      el: "το server.socket υπάρχει μόνο σε Linux και macOS· εδώ χρησιμοποιήστε τα server.host και server.port",
    });
  const bytes = Buffer.byteLength(path);
  if (bytes <= PATH_BYTES_MAX) return;
  throw new ConfigurationError({
    en: `server.socket is ${bytes} bytes long and the system takes ${PATH_BYTES_MAX}; choose a shorter path, as /run/fiscal/fiscal.sock`,
    el: `το server.socket έχει ${bytes} bytes και το σύστημα δέχεται ${PATH_BYTES_MAX}· διαλέξτε συντομότερη διαδρομή, όπως /run/fiscal/fiscal.sock`,
  });
}
