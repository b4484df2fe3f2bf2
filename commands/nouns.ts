/** The nouns of the command line. A noun's module is loaded when it is named, so that a start costs what is used. */
import type { Command } from "commander";
import type { CommandContext } from "./context.ts";

/** Gives `command` its verbs, flags and action. */
type Define = (command: Command, context: CommandContext) => void;

export interface Noun {
  name: string;
  description: string;
  load(): Promise<Define>;
}

/** In the order of the help. */
export const NOUNS: readonly Noun[] = [
  {
    name: "init",
    description: "make the data directory, the master key and the database",
    load: async () => (await import("./root/init.ts")).defineInit,
  },
  {
    name: "quickstart",
    description: "issue the example documents in a sandbox of their own",
    load: async () => (await import("./root/quickstart.ts")).defineQuickstart,
  },
  {
    name: "serve",
    description: "run the HTTP server and issue in the background",
    load: async () => (await import("./root/serve.ts")).defineServe,
  },
  {
    name: "console",
    description: "print a one-time link into the console of a running server",
    load: async () => (await import("./root/console.ts")).defineConsole,
  },
  {
    name: "keys",
    description: "API keys for the HTTP server",
    load: async () => (await import("./keys/index.ts")).defineKeys,
  },
  {
    name: "documents",
    description: "issue documents from files, look at them, retry, cancel",
    load: async () => (await import("./documents/index.ts")).defineDocuments,
  },
  {
    name: "merchants",
    description: "the businesses on whose behalf documents are issued",
    load: async () => (await import("./merchants/index.ts")).defineMerchants,
  },
  {
    name: "connections",
    description: "merchants' credentials for a provider: add, verify, disconnect, send a link",
    load: async () => (await import("./connections/index.ts")).defineConnections,
  },
  {
    name: "numbering",
    description: "series and numbers: next ones, and an audit of all",
    load: async () => (await import("./numbering/index.ts")).defineNumbering,
  },
  {
    name: "events",
    description: "what happened, as it happens or afterwards",
    load: async () => (await import("./events/index.ts")).defineEvents,
  },
  {
    name: "webhooks",
    description: "endpoints that events are posted to, and help for those who write receivers",
    load: async () => (await import("./webhooks/index.ts")).defineWebhooks,
  },
  {
    name: "requests",
    description: "the log of API requests, and the whole story behind one",
    load: async () => (await import("./requests/index.ts")).defineRequests,
  },
  {
    name: "calls",
    description: "the log of what was sent to providers and what they answered",
    load: async () => (await import("./calls/index.ts")).defineCalls,
  },
  {
    name: "tax-id",
    description: "look a VAT number up in the EU registry",
    load: async () => (await import("./tax-id/index.ts")).defineTaxId,
  },
  {
    name: "doctor",
    description: "look whether all is well, and say what to do where it is not",
    load: async () => (await import("./root/doctor.ts")).defineDoctor,
  },
  {
    name: "audit",
    description:
      "verify that the journal of events, the documents and their numbers are as they were written",
    load: async () => (await import("./root/audit.ts")).defineAudit,
  },
  {
    name: "backup",
    description: "copy the database while it is in use, or verify such a copy",
    load: async () => (await import("./root/backup.ts")).defineBackup,
  },
  {
    name: "restore",
    description: "take a backup back; it is held until `resume`",
    load: async () => (await import("./root/restore.ts")).defineRestore,
  },
  {
    name: "resume",
    description: "let a restored appliance send again",
    load: async () => (await import("./root/resume.ts")).defineResume,
  },
  {
    name: "erase",
    description: "remove from the logs what they hold about a tax number",
    load: async () => (await import("./root/erase.ts")).defineErase,
  },
  {
    name: "mcp",
    description:
      "serve the API's operations as tools of the Model Context Protocol, on standard input and output",
    load: async () => (await import("./root/mcp.ts")).defineMcp,
  },
  {
    name: "completion",
    description: "print a script that completes nouns, flags, files and names in the shell",
    load: async () => (await import("./completion/completion.ts")).defineCompletion,
  },
];

/** For programs: no help lists them. */
export const HIDDEN_NOUNS: readonly Omit<Noun, "description">[] = [
  {
    name: "__complete",
    load: async () => (await import("./completion/complete.ts")).defineAnswer,
  },
];
