/** How the terminal says the next step of a message: a command or a flag, quoted so that a person can copy it. */
import type { NextStep, StepName, Text } from "../src/foundation/text.ts";
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
type Words = Text | ((given: Arguments) => Text);

/** Each follows the words of the message, so it begins with a space or a punctuation mark. */
const WORDS: Readonly<Record<StepName, Words>> = {
  adoptMarks: withFlags("fiscal documents reconcile --adopt"),
  acceptWithoutChecksum: {
    en: "; to accept one, add --without-checksum",
    el: "· για να γίνει δεκτό, προσθέστε --without-checksum",
  },
  audit: withFlags("fiscal audit"),
  auditNumbers: {
    en: ", or run `fiscal numbering audit`",
    el: ", ή εκτελέστε τη `fiscal numbering audit`",
  },
  cancelDocument: inBrackets("fiscal documents cancel"),
  cancelSurplusMarks: withFlags("fiscal documents reconcile --cancel-surplus"),
  chooseDataFolder: { en: " with --data-dir", el: " με --data-dir" },
  compareClock: withFlags("fiscal doctor --online"),
  createConnection: inBrackets("fiscal connections add"),
  createKey: {
    en: ". Create one with `fiscal keys create`",
    el: ". Δημιουργήστε ένα με `fiscal keys create`",
  },
  creditDocument: ({ document = "" }) => afterColon(`fiscal documents credit ${stringOf(document)}`.trim()),
  doctor: {
    en: "; `fiscal doctor` shows what is wrong",
    el: "· τι δεν πάει καλά το δείχνει η `fiscal doctor`",
  },
  getDocument: inBrackets("fiscal documents show"),
  giveFormat: { en: ", or give --format xlsx", el: " ή --format xlsx" },
  givePassphrase: { en: " or with --passphrase-file", el: " ή με --passphrase-file" },
  giveTlsFiles: { en: " (--tls-cert and --tls-key)", el: " (--tls-cert και --tls-key)" },
  initialise: inBrackets("fiscal init"),
  issueDocument: inBrackets("fiscal documents issue"),
  listCalls: ({ document }) =>
    document === undefined
      ? {
          en: " (`fiscal calls list` and `fiscal calls show`)",
          el: " (`fiscal calls list` και `fiscal calls show`)",
        }
      : afterColon(`fiscal ${COMMANDS.listCalls(stringOf(document))} --all`),
  listCustomers: {
    en: "; `fiscal customers list` shows those it has",
    el: "· τους δείχνει η `fiscal customers list`",
  },
  listEvents: ({ document }) => afterColon(`fiscal events list --document ${stringOf(document)} --all`),
  listKeys: see("fiscal keys list"),
  listMerchants: see("fiscal merchants list"),
  listRequests: see("fiscal requests list --request-id"),
  lookUpTaxId: inBrackets("fiscal tax-id lookup"),
  mapColumns: ({ columns, defaults }) => (columns === undefined ? MAP_FILE : flagsOf(columns, defaults)),
  previewDocument: inBrackets("fiscal documents preview"),
  reconcileDocuments: {
    en: " or with `fiscal documents reconcile`",
    el: " ή με `fiscal documents reconcile`",
  },
  rememberColumnMap: {
    en: "; `fiscal documents issue --map FILE --remember-map` stores one",
    el: "· την κρατά η `fiscal documents issue --map FILE --remember-map`",
  },
  replaceDatabase: { en: " with --replace", el: " με --replace" },
  replaceFile: { en: ", or replace it with --force", el: " ή αντικαταστήστε το με --force" },
  resume: inBrackets("fiscal resume"),
  rotateMasterKey: inBrackets("fiscal keys rotate-master"),
  serveWithoutHttps: { en: ", or leave out --https", el: ", ή αφαιρέστε το --https" },
  updateMerchant: withFlags("fiscal merchants update --tax-id"),
  updateMerchantSettings: inBrackets("fiscal merchants settings"),
  useLiveMode: { en: " (on the command line with --live)", el: " (στη γραμμή εντολών με --live)" },
  verifyConnection: ({ connection = "" }) =>
    inBrackets(`fiscal ${COMMANDS.verifyConnection(stringOf(connection))}`),
};

function withFlags(command: string): Text {
  return { en: ` with \`${command}\``, el: ` με \`${command}\`` };
}

function inBrackets(command: string): Text {
  return { en: ` (\`${command}\`)`, el: ` (\`${command}\`)` };
}

function afterColon(command: string): Text {
  return { en: `: \`${command}\``, el: `: \`${command}\`` };
}

function see(command: string): Text {
  return { en: `; see \`${command}\``, el: `· δείτε την \`${command}\`` };
}

const MAP_FILE: Text = {
  en: ' with --map FILE, which maps each ([columns] ours = "theirs") or ignores it (ignore)',
  el: ' με --map FILE, που αντιστοιχίζει το καθένα ([columns] ours = "theirs") ή το παραλείπει (ignore)',
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
    en: `, with ${flags}, if that is what the names mean; --map FILE does the same from a file`,
    el: `, με ${flags}, αν αυτό σημαίνουν τα ονόματα· το ίδιο κάνει η --map FILE από αρχείο`,
  };
}

function stringOf(value: Given): string {
  return typeof value === "string" ? value : "";
}

/** The message with its next step in words, before the full stop if it ends with one. */
export function withCommand(text: Text): Text {
  const { en, el, next } = text;
  if (next === undefined) return text;
  const words = WORDS[next.operation];
  const added = typeof words === "function" ? words(next.arguments ?? {}) : words;
  return { en: append(en, added.en), el: append(el, added.el) };
}

function append(message: string, words: string): string {
  return message.endsWith(".") ? `${message.slice(0, -1)}${words}.` : message + words;
}

/** The options by which a command was told where its configuration and data are. */
interface Places {
  config?: string | undefined;
  dataDir?: string | undefined;
}

/** A command line that works here: with the places that this command was given. */
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
