/** Loads the configuration: flags override the environment, which overrides the file, which overrides the defaults. */
import { resolve } from "node:path";
import { EMAIL_REGEX } from "valibot";
import { ConfigurationError } from "../foundation/errors.ts";
import { joinTexts, sameInBoth, type Text } from "../foundation/text.ts";
import { camelCase, type SettingPlaces, type SettingsOf } from "../foundation/setting.ts";
import {
  type ConfigSources,
  expandHome,
  gatherValues,
  userDirectory,
  type Values,
  variable,
} from "./config-sources.ts";
import { requireDatabaseFile } from "./addresses.ts";
import { type CORE_SETTINGS, ENVIRONMENT_SECRETS, type ProviderSettings, SETTINGS } from "./settings.ts";

type Core = SettingsOf<typeof CORE_SETTINGS>;

/** The settings of src/config/settings.ts under camel-case names, with absolute paths. */
export type Config = Omit<Core, "server" | "security" | "storage"> & {
  /** The file that was read; null when there was none. */
  readonly file: string | null;
  readonly server: Omit<Core["server"], "tlsCertFile" | "tlsKeyFile" | "tlsKeyPassphraseFile"> & {
    /** Null for plain HTTP. */
    readonly tls: TlsFiles | typeof SELF_SIGNED | null;
  };
  readonly storage: Core["storage"] & {
    /** The setting with the address of the database server, and where it is set; null for a database file. */
    readonly addressSource: Text | null;
  };
  readonly security: Core["security"] & {
    /** FISCAL_MASTER_KEY; null when it is not set. */
    readonly masterKey: string | null;
    /** FISCAL_MASTER_KEY_PREVIOUS; null when it is not set. */
    readonly masterKeyPrevious: string | null;
  };
  readonly providers: ProviderSettings;
};

/** Throws ConfigurationError, which names the setting and its source, never its value. */
export function loadConfig(sources: ConfigSources): Config {
  const { env, cwd } = sources;
  const { values, sources: origins, file } = gatherValues(sources);
  const resolvePath = (path: string) => resolve(cwd, expandHome(path, env));
  const named = values.get("data_dir") as string;
  const dataDir = named === "" ? userDirectory(env, "data") : resolvePath(named);
  const places = { dataDir, resolve: resolvePath };
  const loaded = loadSettings(values, places);
  const {
    tlsCertFile: _cert,
    tlsKeyFile: _key,
    tlsKeyPassphraseFile: _passphrase,
    ...server
  } = loaded.server;
  const tls = tlsOf(loaded.server, sources.flags.overrides?.https === true);
  const { master_key: current, master_key_previous: previous } = ENVIRONMENT_SECRETS;
  const config: Config = {
    ...loaded,
    file,
    dataDir,
    server: { ...server, tls },
    storage: { ...loaded.storage, addressSource: addressSourceOf(loaded.storage, origins) },
    security: {
      ...loaded.security,
      masterKey: variable(env, current.variable) ?? null,
      masterKeyPrevious: variable(env, previous.variable) ?? null,
    },
  };
  for (const [isBroken, text] of NEEDS) if (isBroken(config)) throw new ConfigurationError(text);
  if (config.backup.schedule !== "") requireDatabaseFile(config.storage, SCHEDULE);
  return config;
}

/** Throws ConfigurationError where both settings are given. */
function addressSourceOf({ url, urlFile }: Core["storage"], origins: ReadonlyMap<string, Text>): Text | null {
  const given = [url === "" ? [] : "storage.url", urlFile === "" ? [] : "storage.url_file"].flat();
  const [first, second] = given.map((path) => joinTexts([sameInBoth(path), origins.get(path)!], " "));
  if (first !== undefined && second !== undefined)
    throw new ConfigurationError({
      en: `set ${first.en} or ${second.en}, not both`,
      el: `ορίστε το ${first.el} ή το ${second.el}, όχι και τα δύο`,
    });
  return first ?? null;
}

const SCHEDULE = { en: "backup.schedule", el: "Το backup.schedule" };

/** What settings need of each other. */
const NEEDS: readonly [isBroken: (config: Config) => boolean, text: Text][] = [
  [
    ({ backup }) => backup.schedule !== "" && backup.directory === "",
    {
      en: "backup.schedule needs backup.directory: name the folder that backups go to",
      el: "το backup.schedule χρειάζεται το backup.directory: ορίστε τον φάκελο των αντιγράφων",
    },
  ],
  [
    ({ mail }) => mail.host !== "" && !EMAIL_REGEX.test(mail.from),
    {
      en: "mail.host needs mail.from: an email address that mails come from",
      el: "το mail.host χρειάζεται το mail.from: τη διεύθυνση email του αποστολέα",
    },
  ],
  [
    ({ mail }) => mail.host !== "" && (mail.user === "") !== (mail.passwordFile === ""),
    {
      en: "mail.user and mail.password_file belong together: set both, or neither",
      el: "τα mail.user και mail.password_file πάνε μαζί: ορίστε και τα δύο ή κανένα",
    },
  ],
  [
    ({ alerts, mail }) => alerts.mailTo !== "" && (!EMAIL_REGEX.test(alerts.mailTo) || mail.host === ""),
    {
      en: "alerts.mail_to must be an email address, and needs mail.host: the server that sends the mails",
      el: "το alerts.mail_to πρέπει να είναι διεύθυνση email, και χρειάζεται το mail.host: τον διακομιστή που στέλνει τα email",
    },
  ],
];

function loadSettings(values: Values, places: SettingPlaces): Core & { providers: ProviderSettings } {
  const loaded = {};
  for (const [path, { load }] of Object.entries(SETTINGS)) {
    const value = values.get(path)!;
    const [section, name] = placeOf(loaded, path);
    section[name] = typeof value === "string" && load !== undefined ? load(value, places) : value;
  }
  return loaded as Core & { providers: ProviderSettings };
}

/** The configuration for the log at start, with secrets as `set` or `not set`. */
export function describeConfig(config: Config): Record<string, unknown> {
  const described = structuredClone(config) as unknown as Record<string, unknown>;
  const secrets = Object.entries(SETTINGS).flatMap(([path, { isSecret }]) =>
    isSecret === true ? [path] : [],
  );
  secrets.push(...Object.keys(ENVIRONMENT_SECRETS).map((name) => `security.${name}`));
  for (const path of secrets) {
    const [section, name] = placeOf(described, path);
    section[name] = (section[name] ?? "") === "" ? "not set" : "set";
  }
  return described;
}

/** The settings that are addresses, with their values. */
export function listAddresses(config: Config): [path: string, url: string][] {
  const paths = Object.keys(SETTINGS).filter((path) => SETTINGS[path]!.isAddress);
  return paths.map((path) => {
    const [section, name] = placeOf(config, path);
    return [path, String(section[name])];
  });
}

/** The section of the setting, which is created if it is missing, and the name of the setting there. */
function placeOf(config: object, path: string): [section: Record<string, unknown>, name: string] {
  const names = path.split(".").map(camelCase);
  const name = names.pop()!;
  let section = config as Record<string, unknown>;
  for (const next of names) section = (section[next] ??= {}) as Record<string, unknown>;
  return [section, name];
}

/** Absolute paths. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** Null when the key is not encrypted. */
  readonly passphraseFile: string | null;
}

/** Of `serve --https`: a certificate is made for the run. */
export const SELF_SIGNED = "self-signed";

/** Null for plain HTTP. Throws ConfigurationError for settings that contradict each other. */
function tlsOf(server: Core["server"], isSelfSigned: boolean): Config["server"]["tls"] {
  const { tlsCertFile: certFile, tlsKeyFile: keyFile, tlsKeyPassphraseFile: passphraseFile, socket } = server;
  const isPlain = certFile === null && keyFile === null && passphraseFile === null;
  if (isSelfSigned) {
    if (socket === null && isPlain) return SELF_SIGNED;
    throw new ConfigurationError({
      en: "A certificate made for the run is for host and port; leave out server.socket, server.tls_cert_file and server.tls_key_file",
      el: "Ένα πιστοποιητικό που φτιάχνεται για την εκτέλεση είναι για διεύθυνση και θύρα· αφαιρέστε τα server.socket, server.tls_cert_file και server.tls_key_file",
      next: { operation: "serveWithoutHttps" },
    });
  }
  if (isPlain) return null;
  if (certFile === null || keyFile === null)
    throw new ConfigurationError({
      en: "server.tls_cert_file and server.tls_key_file belong together, with server.tls_key_passphrase_file if the key is encrypted; set both, or none of the three",
      el: "τα server.tls_cert_file και server.tls_key_file πάνε μαζί, με το server.tls_key_passphrase_file αν το κλειδί είναι κρυπτογραφημένο· ορίστε και τα δύο, ή κανένα από τα τρία",
      next: { operation: "giveTlsFiles" },
    });
  // A proxy speaks plain HTTP to a socket file.
  if (socket !== null) {
    throw new ConfigurationError({
      en: "server.socket and server.tls_cert_file are both set; a socket file takes plain HTTP: leave one of them out",
      el: "ορίστηκαν και το server.socket και το server.tls_cert_file· το αρχείο socket δέχεται απλό HTTP: αφαιρέστε το ένα",
    });
  }
  return { certFile, keyFile, passphraseFile };
}
