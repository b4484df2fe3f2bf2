/** Lists the nouns of the command line, in the groups and the order of the help. */
import { sameInBoth, type Text } from "../src/foundation/text.ts";
import type { Commands } from "./define.ts";

const DOCUMENTS: Text = { en: "Documents:", el: "Παραστατικά:" };
const SET_UP: Text = { en: "Set-up:", el: "Στήσιμο:" };
const RUNNING: Text = { en: "Running it:", el: "Λειτουργία:" };
const DEVELOPERS: Text = { en: "For developers:", el: "Για προγραμματιστές:" };
const HELPERS: Text = { en: "Helpers:", el: "Βοηθήματα:" };

const inGroup = (group: Text, nouns: Commands): Commands =>
  Object.fromEntries(Object.entries(nouns).map(([name, noun]) => [name, { ...noun, group }]));

export const NOUNS: Commands = {
  ...inGroup(DOCUMENTS, {
    documents: {
      en: "issue documents from files; list, show, retry and cancel documents",
      el: "έκδοση παραστατικών από αρχεία, προβολή, επανάληψη, ακύρωση",
      load: async () => (await import("./documents/index.ts")).defineDocuments,
    },
    customers: {
      en: "the customers that are remembered from a merchant's documents",
      el: "οι πελάτες που έχουν κρατηθεί από τα παραστατικά μιας επιχείρησης",
      load: async () => (await import("./customers/index.ts")).defineCustomers,
    },
    numbering: {
      en: "show, set and audit document numbers",
      el: "σειρές και αριθμοί: οι επόμενοι, και έλεγχος όλων",
      load: async () => (await import("./numbering/index.ts")).defineNumbering,
    },
    reports: {
      en: "figures of a period for the VAT return and the E3 form",
      el: "τα ποσά ενός διαστήματος για τη δήλωση Φ2 και το Ε3",
      load: async () => (await import("./reports/index.ts")).defineReports,
    },
  }),
  ...inGroup(SET_UP, {
    init: {
      en: "create the data directory, the master key and the database",
      el: "δημιουργεί τον φάκελο δεδομένων, το κύριο κλειδί και τη βάση",
      load: async () => (await import("./root/init.ts")).defineInit,
    },
    quickstart: {
      en: "issue the example documents in a separate sandbox",
      el: "εκδίδει τα παραστατικά του παραδείγματος σε δικό τους περιβάλλον δοκιμών",
      load: async () => (await import("./root/quickstart.ts")).defineQuickstart,
    },
    merchants: {
      en: "manage the businesses on whose behalf documents are issued",
      el: "οι επιχειρήσεις για λογαριασμό των οποίων εκδίδονται παραστατικά",
      load: async () => (await import("./merchants/index.ts")).defineMerchants,
    },
    connections: {
      en: "manage merchants' provider credentials: add, verify, disconnect, send a link",
      el: "διαπιστευτήρια επιχειρήσεων σε πάροχο: προσθήκη, έλεγχος, αποσύνδεση, σύνδεσμος",
      load: async () => (await import("./connections/index.ts")).defineConnections,
    },
    webhooks: {
      en: "manage webhook endpoints, and test webhook receivers",
      el: "τελικά σημεία (endpoints) όπου στέλνονται τα συμβάντα, και δοκιμή παραληπτών",
      load: async () => (await import("./webhooks/index.ts")).defineWebhooks,
    },
    keys: {
      en: "manage API keys for the HTTP server",
      el: "κλειδιά API για τον διακομιστή HTTP",
      load: async () => (await import("./keys/index.ts")).defineKeys,
    },
  }),
  ...inGroup(RUNNING, {
    serve: {
      en: "run the HTTP server and issue documents in the background",
      el: "τρέχει τον διακομιστή HTTP και εκδίδει στο παρασκήνιο",
      load: async () => (await import("./root/serve.ts")).defineServe,
    },
    console: {
      en: "print a one-time sign-in link for the console of a running server",
      el: "τυπώνει σύνδεσμο μιας χρήσης για την κονσόλα ενός διακομιστή που τρέχει",
      load: async () => (await import("./root/console.ts")).defineConsole,
    },
    doctor: {
      en: "check the installation and suggest what to do about problems",
      el: "ελέγχει την εγκατάσταση και προτείνει τι να γίνει για κάθε πρόβλημα",
      load: async () => (await import("./root/doctor.ts")).defineDoctor,
    },
    audit: {
      en: "verify that events, documents and numbers have not been altered",
      el: "ελέγχει ότι τα συμβάντα, τα παραστατικά και οι αριθμοί τους είναι όπως γράφτηκαν",
      load: async () => (await import("./root/audit.ts")).defineAudit,
    },
    backup: {
      en: "back up the database while it is in use, or verify a backup",
      el: "αντιγράφει τη βάση ενώ χρησιμοποιείται, ή ελέγχει ένα αντίγραφο",
      load: async () => (await import("./root/backup.ts")).defineBackup,
    },
    restore: {
      en: "restore a backup; nothing is sent until `resume`",
      el: "επαναφέρει ένα αντίγραφο· τίποτα δεν στέλνεται μέχρι τη `resume`",
      load: async () => (await import("./root/restore.ts")).defineRestore,
    },
    resume: {
      en: "let a restored installation send again",
      el: "αφήνει μια εγκατάσταση που επανήλθε να στέλνει ξανά",
      load: async () => (await import("./root/restore.ts")).defineResume,
    },
    move: {
      en: "move everything to a database in PostgreSQL",
      el: "μεταφέρει τα πάντα σε βάση της PostgreSQL",
      load: async () => (await import("./root/move.ts")).defineMove,
    },
    erase: {
      en: "remove data about a tax number from the logs",
      el: "αφαιρεί από τα αρχεία καταγραφής όσα έχουν για ένα ΑΦΜ",
      load: async () => (await import("./root/erase.ts")).defineErase,
    },
  }),
  ...inGroup(DEVELOPERS, {
    events: {
      en: "follow, list, show and resend events",
      el: "τι συνέβη, την ώρα που συμβαίνει ή μετά",
      load: async () => (await import("./events/index.ts")).defineEvents,
    },
    requests: {
      en: "show the log of API requests, and everything one request caused",
      el: "το αρχείο των αιτημάτων του API, και ολόκληρη η ιστορία πίσω από ένα",
      load: async () => (await import("./requests/index.ts")).defineRequests,
    },
    calls: {
      en: "show the log of requests to providers and their responses",
      el: "το αρχείο όσων στάλθηκαν σε παρόχους και όσων απάντησαν",
      load: async () => (await import("./calls/index.ts")).defineCalls,
    },
    trigger: {
      en: "play a scene of the sandbox with a made-up document",
      el: "παίζει ένα σενάριο του sandbox με ένα φανταστικό παραστατικό",
      load: async () => (await import("./root/trigger.ts")).defineTrigger,
    },
    openapi: {
      en: "print the OpenAPI description of the API",
      el: "τυπώνει την περιγραφή OpenAPI του API",
      load: async () => (await import("./root/openapi.ts")).defineOpenApi,
    },
    mcp: {
      en: "serve the API's operations as Model Context Protocol tools over standard input and output",
      el: "προσφέρει τις λειτουργίες του API ως εργαλεία του Model Context Protocol, στην τυπική είσοδο και έξοδο",
      load: async () => (await import("./root/mcp.ts")).defineMcp,
    },
  }),
  ...inGroup(HELPERS, {
    "tax-id": {
      en: "look up a VAT number in the EU registry",
      el: "αναζητά έναν αριθμό ΦΠΑ στο μητρώο της ΕΕ",
      load: async () => (await import("./tax-id/index.ts")).defineTaxId,
    },
    errors: {
      en: "explain the error codes of the tax authority",
      el: "εξηγεί τους κωδικούς σφάλματος της ΑΑΔΕ",
      load: async () => (await import("./errors/index.ts")).defineErrors,
    },
    completion: {
      en: "print a shell script that completes commands, flags, files and names",
      el: "τυπώνει κώδικα που συμπληρώνει εντολές, επιλογές, αρχεία και ονόματα στο κέλυφος",
      load: async () => (await import("./completion/completion.ts")).defineCompletion,
    },
  }),
};

/** Called by programs only. */
export const HIDDEN_NOUNS: Commands = {
  __complete: {
    ...sameInBoth(""),
    load: async () => (await import("./completion/complete.ts")).defineAnswer,
  },
};
