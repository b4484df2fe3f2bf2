/** `fiscal connections`: merchants' credentials for providers. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { addCommands, type LazyCommand } from "../lazy-commands.ts";
import { addExamples } from "../options.ts";
import { ASKS_FOR_CREDENTIALS } from "./connection-flags.ts";

const VERBS: readonly LazyCommand[] = [
  {
    name: "add",
    summary: {
      en: "connect a merchant to a provider, after checking the credentials with the provider",
      el: "συνδέει μια επιχείρηση με πάροχο, αφού ελέγξει τα διαπιστευτήρια με τον πάροχο",
    },
    load: async () => (await import("./add.ts")).defineAdd,
  },
  {
    name: "link",
    summary: {
      en: "print a link where the merchant enters the credentials; it is shown only once",
      el: "τυπώνει σύνδεσμο όπου η επιχείρηση δίνει τα διαπιστευτήρια· εμφανίζεται μόνο μία φορά",
    },
    load: async () => (await import("./link.ts")).defineLink,
  },
  {
    name: "list",
    summary: {
      en: "list connections, newest first",
      el: "συνδέσεις της λειτουργίας, πρώτα οι νεότερες",
    },
    load: async () => (await import("./list.ts")).defineList,
  },
  {
    name: "show",
    arguments: "<connection>",
    summary: {
      en: "show one connection, without its credentials",
      el: "μία σύνδεση, χωρίς τα διαπιστευτήριά της",
    },
    load: async () => (await import("./show.ts")).defineShow,
  },
  {
    name: "verify",
    arguments: "<connection>",
    summary: {
      en: "check the credentials with the provider again; if it accepts them, waiting documents are sent",
      el: "ελέγχει ξανά τα διαπιστευτήρια με τον πάροχο· αν τα δεχτεί, στέλνονται όσα παραστατικά περίμεναν",
    },
    load: async () => (await import("./verify.ts")).defineVerify,
  },
  {
    name: "disconnect",
    arguments: "<connection>",
    summary: {
      en: "stop using a connection; its credentials are deleted 30 days later",
      el: "παύει η χρήση μιας σύνδεσης· τα διαπιστευτήρια διαγράφονται 30 ημέρες αργότερα",
    },
    load: async () => (await import("./disconnect.ts")).defineDisconnect,
  },
];

export function defineConnections(noun: Command, context: CommandContext): void {
  addCommands(noun, context, VERBS);
  addExamples(
    noun,
    context,
    {
      line: "fiscal connections add --merchant shop --provider registry_direct",
      note: ASKS_FOR_CREDENTIALS,
    },
    "fiscal connections list --merchant shop",
  );
}
