/** How the terminal says the next step of a message: a command or a flag, quoted so that a person can copy it. */
import { type NextStep, sameInBoth, type StepName, type Text } from "../src/foundation/text.ts";
import type { Remedy } from "../src/upkeep/doctor/doctor-finding.ts";

/** The words of a command after the program's name. `id` is that of the object, or empty. */
export const COMMANDS: Readonly<Record<Remedy, (id: string) => string>> = {
  audit: () => "audit",
  auditNumbers: () => "numbering audit",
  backUp: () => "backup",
  createApiKey: (mode) => `keys create --mode ${mode} --name "…"`,
  diagnoseDeeply: () => "doctor --deep",
  enableWebhookEndpoint: (id) => `webhooks update ${id} --status enabled`,
  getDocument: (id) => `documents show ${id}`,
  getDocumentPdf: (id) => `documents pdf ${id}`,
  initialise: () => "init",
  listCalls: (id) => `calls list --document ${id}`,
  listDeliveries: (id) => `webhooks deliveries ${id}`,
  replayDeliveries: (id) => `webhooks replay ${id}`,
  resume: () => "resume",
  retryDocument: (id) => `documents retry ${id}`,
  revokeApiKey: (id) => `keys revoke ${id}`,
  rotateMasterKey: () => "keys rotate-master",
  serve: () => "serve",
  verifyConnection: (id) => `connections verify ${id}`.trim(),
};

type Arguments = NonNullable<NextStep["arguments"]>;
type Given = Arguments[string] | undefined;
/** A command without the program's name, a flag, or what both languages say. */
type Words = string | Text;

/** What follows the message, in brackets. */
const WORDS: Readonly<Record<StepName, Words | ((given: Arguments) => Words)>> = {
  adoptMarks: "documents reconcile --adopt",
  acceptWithoutChecksum: "--without-checksum",
  audit: "audit",
  auditNumbers: "numbering audit",
  cancelDocument: "documents cancel",
  cancelSurplusMarks: "documents reconcile --cancel-surplus",
  chooseDataFolder: "--data-dir",
  compareClock: "doctor --online",
  createConnection: "connections add",
  createKey: "keys create",
  creditDocument: ({ document }) => `documents credit ${stringOf(document)}`,
  doctor: "doctor",
  getDocument: "documents show",
  giveFormat: { en: "or give --format xlsx", el: "ή δώστε --format xlsx" },
  givePassphrase: { en: "or --passphrase-file", el: "ή --passphrase-file" },
  giveTlsFiles: "--tls-cert, --tls-key",
  initialise: "init",
  issueDocument: "documents issue",
  listCalls: ({ document }) =>
    document === undefined ? LIST_AND_SHOW : `${COMMANDS.listCalls(stringOf(document))} --all`,
  listCustomers: "customers list",
  listEvents: ({ document }) => `events list --document ${stringOf(document)} --all`,
  listKeys: "keys list",
  listMerchants: "merchants list",
  listRequests: "requests list --request-id",
  lookUpTaxId: "tax-id lookup",
  mapColumns: ({ columns, defaults }) => (columns === undefined ? MAP_FILE : flagsOf(columns, defaults)),
  previewDocument: "documents preview",
  reconcileDocuments: {
    en: "or with `fiscal documents reconcile`",
    el: "ή με `fiscal documents reconcile`",
  },
  rememberColumnMap: "documents issue --map FILE --remember-map",
  replaceDatabase: "--replace",
  replaceFile: { en: "--force replaces it", el: "η --force το αντικαθιστά" },
  resume: "resume",
  rotateMasterKey: "keys rotate-master",
  serveWithoutHttps: { en: "or leave out --https", el: "ή αφαιρέστε το --https" },
  updateMerchant: "merchants update --tax-id",
  updateMerchantSettings: "merchants settings",
  useLiveMode: "--live",
  verifyConnection: ({ connection }) => COMMANDS.verifyConnection(stringOf(connection)),
};

const LIST_AND_SHOW: Text = {
  en: "`fiscal calls list` and `fiscal calls show`",
  el: "`fiscal calls list` και `fiscal calls show`",
};

const MAP_FILE: Text = {
  en: '--map FILE says what each means: [columns] ours = "theirs", ignore = ["theirs"]',
  el: 'η --map FILE λέει τι σημαίνει το καθένα: [columns] ours = "theirs", ignore = ["theirs"]',
};

/** `--column "Πελάτης=customer_name" --default type=1.1`. */
function flagsOf(columns: Given, defaults: Given): Text {
  const pairs = (given: Given) =>
    typeof given === "object" ? Object.entries(given).map(([name, value]) => `${name}=${value}`) : [];
  const flags = [
    ...pairs(columns).map((pair) => `--column "${pair}"`),
    ...pairs(defaults).map((pair) => `--default ${pair}`),
  ].join(" ");
  return {
    en: `${flags}, if that is what the names mean; --map FILE does the same from a file`,
    el: `${flags}, αν αυτό σημαίνουν τα ονόματα· το ίδιο κάνει η --map FILE από αρχείο`,
  };
}

function stringOf(value: Given): string {
  return typeof value === "string" ? value : "";
}

/** The message with its next step in brackets, before the full stop if it ends with one. */
export function withCommand(text: Text): Text {
  const { en, el, next } = text;
  if (next === undefined) return text;
  const known = WORDS[next.operation];
  const words = typeof known === "function" ? known(next.arguments ?? {}) : known;
  const shown = typeof words === "string" ? sameInBoth(codeOf(words.trim())) : words;
  return { en: append(en, shown.en), el: append(el, shown.el) };
}

function codeOf(words: string): string {
  return words.startsWith("--") ? words : `\`fiscal ${words}\``;
}

function append(message: string, words: string): string {
  return message.endsWith(".") ? `${message.slice(0, -1)} (${words}).` : `${message} (${words})`;
}

/** `--config` and `--data-dir`, if they were given. */
interface Places {
  config?: string | undefined;
  dataDir?: string | undefined;
}

/** A command line that uses the same configuration and data as this command. */
export function commandLine({ config, dataDir }: Places, words: string, program = "fiscal"): string {
  const flags = [
    ...(config === undefined ? [] : ["--config", quoted(config)]),
    ...(dataDir === undefined ? [] : ["--data-dir", quoted(dataDir)]),
  ];
  return [program, ...flags, words].join(" ");
}

/** `text` as one word, quoted where necessary: for a POSIX shell, or on Windows for both the Command Prompt and PowerShell. */
export function quoted(text: string, platform: NodeJS.Platform = process.platform): string {
  return platform === "win32" ? quotedOnWindows(text) : quotedForPosix(text);
}

function quotedForPosix(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A backslash right before the closing quote would make it a part of the word. */
function quotedOnWindows(text: string): string {
  if (/^[\w:./\\-]+$/.test(text)) return text;
  return `"${text.replaceAll('"', '""').replace(/\\$/, "\\\\")}"`;
}
