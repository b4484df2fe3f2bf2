/** How the terminal says the next step of a message: a command or a flag, quoted so that a person can copy it. */
import { type NextStep, sameInBoth, type StepName, type Text } from "../src/foundation/text.ts";

/** A command without the program's name, a flag, or what both languages say. */
type Words = string | Text;

/** `id` is that of the object, the mode of a key to create, or empty. */
const WORDS: Readonly<Record<StepName, Words | ((id: string, step: NextStep) => Words)>> = {
  acceptWithoutChecksum: "--without-checksum",
  adoptMarks: "documents reconcile --adopt",
  audit: "audit",
  auditNumbers: "numbering audit",
  backUp: "backup",
  cancelDocument: "documents cancel",
  cancelSurplusMarks: "documents reconcile --cancel-surplus",
  chooseDataFolder: "--data-dir",
  compareClock: "doctor --online",
  createConnection: "connections add",
  createKey: (mode) => (mode === "" ? "keys create" : `keys create --mode ${mode} --name "…"`),
  creditDocument: (id) => `documents credit ${id}`,
  diagnoseDeeply: "doctor --deep",
  doctor: "doctor",
  enableWebhookEndpoint: (id) => `webhooks update ${id} --status enabled`,
  getDocument: (id) => `documents show ${id}`,
  getDocumentPdf: (id) => `documents pdf ${id}`,
  giveFormat: { en: "or give --format xlsx", el: "ή δώστε --format xlsx" },
  givePassphrase: { en: "or --passphrase-file", el: "ή --passphrase-file" },
  giveTlsFiles: "--tls-cert, --tls-key",
  initialise: "init",
  issueDocument: "documents issue",
  listCalls: (id) => (id === "" ? LIST_AND_SHOW : `calls list --document ${id}`),
  listCustomers: "customers list",
  listDeliveries: (id) => `webhooks deliveries ${id}`,
  listEvents: (id) => `events list --document ${id} --all`,
  listKeys: "keys list",
  listMerchants: "merchants list",
  listRequests: "requests list --request-id",
  lookUpTaxId: "tax-id lookup",
  mapColumns: (_id, step) => (step.columns === undefined ? MAP_FILE : flagsOf(step)),
  previewDocument: "documents preview",
  reconcileDocuments: {
    en: "or with `fiscal documents reconcile`",
    el: "ή με `fiscal documents reconcile`",
  },
  rememberColumnMap: "documents issue --map FILE --remember-map",
  replaceDatabase: "--replace",
  replaceFile: { en: "--force replaces it", el: "η --force το αντικαθιστά" },
  replayDeliveries: (id) => `webhooks replay ${id}`,
  resume: "resume",
  retryDocument: (id) => `documents retry ${id}`,
  revokeKey: (id) => `keys revoke ${id}`,
  rotateMasterKey: "keys rotate-master",
  serve: "serve",
  serveWithoutHttps: { en: "or leave out --https", el: "ή αφαιρέστε το --https" },
  updateMerchant: "merchants update --tax-id",
  updateMerchantSettings: "merchants settings",
  useLiveMode: "--live",
  verifyConnection: (id) => `connections verify ${id}`,
};

function shownOf(step: NextStep): Words {
  const words = WORDS[step.operation];
  return typeof words === "function" ? words(step.id ?? "", step) : words;
}

/** The words of a command after the program's name. */
export function wordsOf(step: NextStep): string {
  const shown = shownOf(step);
  return (typeof shown === "string" ? shown : shown.en).trim();
}

const LIST_AND_SHOW: Text = {
  en: "`fiscal calls list` and `fiscal calls show`",
  el: "`fiscal calls list` και `fiscal calls show`",
};

const MAP_FILE: Text = {
  en: '--map FILE says what each means: [columns] ours = "theirs", ignore = ["theirs"]; `fiscal documents template` has all of ours',
  el: 'η --map FILE λέει τι σημαίνει το καθένα: [columns] ours = "theirs", ignore = ["theirs"]· το `fiscal documents template` έχει όλα τα δικά μας',
};

/** `--column "Πελάτης=customer_name" --default type=1.1`. */
function flagsOf({ columns = {}, defaults = {} }: NextStep): Text {
  const flags = [
    ...Object.entries(columns).map(([name, value]) => `--column "${name}=${value}"`),
    ...Object.entries(defaults).map(([name, value]) => `--default ${name}=${value}`),
  ].join(" ");
  return {
    en: `${flags}, if that is what the names mean; --map FILE does the same from a file, and \`fiscal documents template\` has all columns`,
    el: `${flags}, αν αυτό σημαίνουν τα ονόματα· το ίδιο κάνει η --map FILE από αρχείο, και το \`fiscal documents template\` έχει όλες τις στήλες`,
  };
}

/** The message with its next step in brackets, before the full stop if it ends with one. */
export function withCommand(text: Text): Text {
  const { en, el, next } = text;
  if (next === undefined) return text;
  const words = shownOf(next);
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
